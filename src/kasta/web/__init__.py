"""The web app: pages rendered on the server, one stream of events a page, and a JSON API."""
