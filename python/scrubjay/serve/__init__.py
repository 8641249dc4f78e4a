"""Serving: the memory behind a protocol. Each server is a thin shell around the facade."""
