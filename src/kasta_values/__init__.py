"""Learned and solved values of Kasta's games, as files: `pip install 'kasta[solve]'` brings them."""

from pathlib import Path

FOLDER = Path(__file__).parent
