"""From sentences to graphs: the parser, what it proposes and verifies, jobs for files."""
