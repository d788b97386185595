"""Knaster estimated: learned values and search."""
