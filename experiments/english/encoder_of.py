"""The encoder of a trained model, as transformers reads one: what a further round of training begins with.

python experiments/english/encoder_of.py MODEL -o FOLDER
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import arctag
from arctag.backends.torch.backend import TorchBackend
from arctag.backends.torch.encoders.transformer import Transformer
from arctag.modelfile.folder import TOKENIZER


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="a folder that `arctag train` wrote, with a pretrained encoder")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder")
    options = parser.parse_args()
    backend = arctag.load(options.model).backend
    assert isinstance(backend, TorchBackend)
    encoder = backend.model.encoder
    assert isinstance(encoder, Transformer)
    encoder.model.save_pretrained(options.output)
    shutil.copytree(options.model / TOKENIZER, options.output, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
