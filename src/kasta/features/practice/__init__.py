"""Practice boards."""
