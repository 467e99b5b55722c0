"""The network: an encoder of words, and heads that tag words and label arcs. Torch starts here."""
