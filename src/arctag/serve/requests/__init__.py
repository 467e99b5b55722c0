"""What a request may hold, and how it becomes sentences and graphs."""
