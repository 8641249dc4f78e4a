"""The seven memory systems. None of them knows another; policies bring them together."""
