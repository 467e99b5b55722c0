"""What can be measured: treebanks, models, speed."""
