"""What the tagger of English names is made from: lists, corpora, made sentences, silver labels."""
