"""Packs what plays without a server: our modules, their templates and texts, as one script for a browser."""
