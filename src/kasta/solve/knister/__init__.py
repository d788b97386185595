"""Knister estimated: learned values, search, the exact endgame, and an upper bound."""
