"""What people can do beside playing at a table: each feature is one folder."""
