"""The throws of the day."""
