"""Finished games, kept apart from the tables' logs."""
