"""Measurements of Arctag that are no part of the package."""
