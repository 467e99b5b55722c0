"""Encodings for trees only: every word has exactly one head. Decoding gives a tree, whatever the labels."""
