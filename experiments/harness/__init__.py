"""What the scripts share: the grid, its runs and measurements, the results, and the pages of the report."""
