"""Example data shipped with the package; every person in it is invented."""
