"""Pictures of results as SVG, which need nothing else to be made or shown."""
