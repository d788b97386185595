"""What a device has played to the end."""
