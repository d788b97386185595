"""A sheet as a picture to send to others."""
