"""How long a test waits before it says that something hangs: longer than anything takes on the busiest machine."""

HANGS = 1800.0
"""Seconds."""
