"""A table's page while it is played: its stream, its forms, who looks at it."""
