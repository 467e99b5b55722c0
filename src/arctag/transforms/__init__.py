"""What is done to a graph beside parsing it: empty nodes, the basic tree, guarantees."""
