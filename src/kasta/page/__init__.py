"""What the page of a table shows, and how it is drawn."""
