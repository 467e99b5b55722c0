"""Exported networks, run by ONNX Runtime; neither torch nor transformers is needed.

The work is split into jobs, and each of them runs on one thread: sentences are many, and no job waits for another.
Windows of subwords run beside others of exactly their length. So no sentence ever sees padding, and its graph is the
same whatever the rest of its batch.
"""
