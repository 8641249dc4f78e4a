"""An embedded cognitive memory engine for AI agents."""
