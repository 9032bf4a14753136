"""What somebody who has only the release can find out, one file per method."""
