"""Training: a typed config, batches, the loop as a stream of events, checkpoints."""
