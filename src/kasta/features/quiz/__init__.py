"""One's own mistakes, asked again."""
