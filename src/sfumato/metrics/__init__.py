"""What a release is still worth: measures that any release of a kind can be given to."""
