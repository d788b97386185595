"""What became of games that are over: results, and reviews of them. Several features build on it."""
