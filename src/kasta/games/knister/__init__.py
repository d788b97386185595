"""Knister: one throw for all, the sum into a free cell, and twelve lines that score as hands."""

from kasta.games.knister.rules import POINTS, Knister, KnisterLineScore, Sheet

__all__ = ["POINTS", "Knister", "KnisterLineScore", "Sheet"]
