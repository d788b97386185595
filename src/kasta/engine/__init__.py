"""Engines: programs of others that play, asked line by line over their standard input (docs/engines.md)."""
