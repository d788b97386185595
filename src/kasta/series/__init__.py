"""Throws that many people play, each alone: those of a day, and those of a challenge. Both are a *series*."""
