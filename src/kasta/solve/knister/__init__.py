"""Knister estimated: learned values, search, and the exact endgame."""
