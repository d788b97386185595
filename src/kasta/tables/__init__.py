"""A table where people play: its events, who may do what, what each may see, and the service behind it."""
