"""What commands print: words, numbers, positions, charts, rules pages and progress."""
