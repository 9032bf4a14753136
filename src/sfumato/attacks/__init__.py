"""What somebody who has the release, and knows the method, can find out; one file per method."""
