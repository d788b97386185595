"""The end of a game: what is said of it, what came before it, and what is told to others."""
