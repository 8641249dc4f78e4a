"""The command line: one file per family of commands, each a thin shell around the facade.

A command parses, opens a memory, calls one verb and prints. Whatever takes long to import is
imported inside the function that needs it, because ``scrubjay --help`` should answer at once.
"""
