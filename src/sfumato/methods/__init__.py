"""The methods, one folder each; no method imports another."""
