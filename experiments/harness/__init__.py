"""What the scripts in this folder share: the grid, running it, the results, and their tables and plots."""
