"""Pads to print."""
