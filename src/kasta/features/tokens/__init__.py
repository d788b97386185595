"""Named tokens for programs."""
