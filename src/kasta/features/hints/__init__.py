"""The coach's hints while playing."""
