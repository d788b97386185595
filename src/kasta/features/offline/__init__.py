"""Kasta as an installed app."""
