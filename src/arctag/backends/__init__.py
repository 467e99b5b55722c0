"""Networks: what they read, what they answer, and the two that do it."""
