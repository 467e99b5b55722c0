"""The loaded models: one queue for each, and the threads that parse what is in it."""
