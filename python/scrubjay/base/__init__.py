"""The words every layer shares: errors, time, identity, provenance, values and ports."""
