"""How files of record batches begin."""

PARQUET = b"PAR1"
IPC_FILE = b"ARROW1"
IPC_STREAM = b"\xff\xff\xff\xff"
