"""Stores for tests, and games played on them."""
