"""Where scrubjay meets the outside: models that embed text, files that hold conversations.

An adapter knows one foreign thing and speaks one port of :mod:`scrubjay.base.ports`. Adapters know
nothing of each other, of the systems or of the policies.
"""
