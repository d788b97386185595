"""What goes over the API's wire: server, client and terminal share it."""
