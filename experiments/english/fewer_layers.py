"""An encoder of which some layers are left out: the one that `en-fast` is trained from.

python experiments/english/fewer_layers.py ENCODER --keep 0 2 5 -o FOLDER
"""

from __future__ import annotations

import argparse
from pathlib import Path

from torch import nn
from transformers import AutoModel, AutoTokenizer


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", help="a folder, or a name on the hub")
    parser.add_argument("--keep", type=int, nargs="+", required=True, metavar="LAYER", help="counted from 0")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder")
    options = parser.parse_args()
    model = AutoModel.from_pretrained(options.encoder)
    model.encoder.layer = nn.ModuleList(model.encoder.layer[layer] for layer in options.keep)
    model.config.num_hidden_layers = len(options.keep)
    model.save_pretrained(options.output)
    AutoTokenizer.from_pretrained(options.encoder).save_pretrained(options.output)


if __name__ == "__main__":
    main()
