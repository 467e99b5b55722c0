"""Plots as SVG, without dependencies."""
