"""Rendering: the only place where memories become text of a prompt."""
