"""What someone who knows the method and more can learn from a release."""
