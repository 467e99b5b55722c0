"""Exported networks, run by ONNX Runtime; neither torch nor transformers is needed.

The work is cut into parts, and each part runs on one thread: sentences are many, and no part waits
for another. Windows of pieces run beside others of exactly their length. So no sentence ever sees
padding, and its graph is the same whatever stands beside it.
"""
