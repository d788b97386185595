"""Puzzles, and a rating for who solves them."""
