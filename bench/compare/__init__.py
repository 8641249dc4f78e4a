"""scrubjay beside its peers, in one run: see run.py."""
