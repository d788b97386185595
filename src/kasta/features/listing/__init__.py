"""Open tables that strangers may find."""
