"""The pages of the report: hand-written text in `experiments/pages`, with tables and plots inserted."""
