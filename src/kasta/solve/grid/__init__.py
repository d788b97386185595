"""What the two games on a grid share: the grid as arrays, searching, learning."""
