"""Running text: chunks, sentences and words."""
