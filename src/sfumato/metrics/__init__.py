"""What a release costs and what it keeps, one file per method."""
