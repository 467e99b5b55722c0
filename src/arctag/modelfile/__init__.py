"""A model on disk: its config, card, checksums, and the models that come with Arctag."""
