#!/bin/sh
# From treebanks to the models `en` and `en-fast`: a large model labels text, from which small ones learn.
#
#   experiments/english/recipe.sh FOLDER [OPTIONS OF ARCTAG TRAIN …]
#
# It goes on where it was interrupted. MPNET and MINILM are folders of the encoders, if there is no hub to take them from;
# STUDENTS is what is trained of the two models; of the text every third sentence is taken (EVERY).
set -eu
cd "$(dirname "$0")/../.."
out=${1:?name a folder for all that is made}; shift
: "${MPNET:=sentence-transformers/all-mpnet-base-v2}" "${MINILM:=sentence-transformers/all-MiniLM-L6-v2}"
: "${STUDENTS:=en en-fast}" "${EVERY:=3}" "${DATA:=../shared/data}" "${BIN:=.venv/bin}"
here=experiments/english
mkdir -p "$out"

train() { # CONFIG FOLDER OPTIONS …
    config=$1 folder=$2; shift 2
    [ -e "$folder/config.json" ] && [ ! -e "$folder/checkpoints" ] && return
    [ -e "$folder/checkpoints" ] && set -- "$@" --resume
    "$BIN/arctag" train --config "$here/$config.toml" --train "$out/ewt-train.conllup" --dev "$out/ewt-dev.conllup" \
        -o "$folder" "$@"
}

for part in train dev; do
    [ -e "$out/ewt-$part.conllup" ] || "$BIN/python" $here/join.py "$DATA/en_ewt/$part.conllu" \
        "propbank=$DATA/ewt_propbank/$part.sdp" -o "$out/ewt-$part.conllup"
done
train teacher "$out/teacher" --encoder "$MPNET" "$@"
[ -e "$out/text" ] || "$BIN/python" $here/hyphens.py "$DATA/en_ewt/train.conllu" "$DATA"/unlabelled_en/*.txt.xz \
    --every "$EVERY" -o "$out/text"
[ -e "$out/minilm-3" ] || "$BIN/python" $here/fewer_layers.py "$MINILM" --keep 0 2 5 -o "$out/minilm-3"
for name in $STUDENTS; do
    encoder=$MINILM
    [ "$name" = en ] || encoder=$out/minilm-3
    train en "$out/$name-trained" --encoder "$encoder" --name "$name" --unlabelled "$out/text" --silver "$out/silver" \
        --teacher "$out/teacher" "$@"
    "$BIN/arctag" export -m "$out/$name-trained" -o "$out/$name" --force \
        --test "$DATA/en_ewt/test.conllu" --test "$DATA/en_pud/test.conllu" \
        --test "dm=$DATA/dm_wescience/test.sdp" --test "dm=$DATA/dm_wescience/ood.sdp" \
        --test "propbank=$DATA/ewt_propbank/test.sdp"
done
