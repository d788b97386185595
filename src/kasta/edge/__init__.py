"""Where requests come in: connections, who asks, limits, streams, errors, files, what is measured."""
