"""A table for a beamer or a television set."""
