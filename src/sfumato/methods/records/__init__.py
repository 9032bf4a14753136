"""Records: people described by columns and free text, made k-anonymous together."""
