"""A release beside earlier ones of the same people: what somebody who holds all of them can see."""
