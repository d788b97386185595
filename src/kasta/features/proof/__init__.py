"""What proves the dice of a table."""
