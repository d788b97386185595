"""Playing in the terminal: a screen (Textual), or line by line for scripts and screen readers."""
