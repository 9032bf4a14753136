"""The typed Python face of the compiled core."""
