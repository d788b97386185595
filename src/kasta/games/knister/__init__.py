"""Knister: one throw for all, the sum into a free cell, and twelve lines that score as hands."""

from kasta.games.knister.rules import POINTS, Knister, LineScore, Sheet

__all__ = ["POINTS", "Knister", "LineScore", "Sheet"]
