"""Policies decide: what enters, what is found, what is believed, what sleeps and what is erased.

Only policies move memories between systems; systems do not know each other.
"""
