#!/bin/sh
# From treebanks to the models `en` and `en-fast`: three teachers label text, from which a small encoder learns.
#
#   experiments/english/recipe.sh FOLDER [OPTIONS OF ARCTAG TRAIN …]
#
# It goes on where it was interrupted. MPNET and MINILM are folders of the encoders, if there is no hub to take them from;
# STUDENTS is what is trained of the two models.
set -eu
cd "$(dirname "$0")/../.."
out=${1:?name a folder for all that is made}; shift
: "${MPNET:=sentence-transformers/all-mpnet-base-v2}" "${MINILM:=sentence-transformers/all-MiniLM-L6-v2}"
: "${STUDENTS:=en en-fast}" "${DATA:=../shared/data}" "${BIN:=.venv/bin}"
here=experiments/english

train() { # CONFIG FOLDER OPTIONS …
    config=$1 folder=$2; shift 2
    [ -e "$folder/config.json" ] && [ ! -e "$folder/checkpoints" ] && return
    [ -e "$folder/checkpoints" ] && set -- "$@" --resume
    "$BIN/arctag" train --config "$here/$config.toml" -o "$folder" "$@"
}

for layers in ud dm propbank; do
    train "teacher-$layers" "$out/teacher-$layers" --encoder "$MPNET" "$@"
done
[ -e "$out/text" ] || "$BIN/python" $here/hyphens.py "$DATA/en_ewt/train.conllu" "$DATA"/unlabelled_en/*.txt.xz -o "$out/text"
[ -e "$out/minilm-3" ] || "$BIN/python" $here/fewer_layers.py "$MINILM" --keep 0 2 5 -o "$out/minilm-3"
for name in $STUDENTS; do
    encoder=$MINILM
    [ "$name" = en ] || encoder=$out/minilm-3
    train en "$out/$name-trained" --encoder "$encoder" --name "$name" --unlabelled "$out/text" --silver "$out/silver" \
        --teacher "$out/teacher-ud" --teacher "$out/teacher-dm" --teacher "$out/teacher-propbank" "$@"
    "$BIN/arctag" export -m "$out/$name-trained" -o "$out/$name" --force \
        --test "$DATA/en_ewt/test.conllu" --test "$DATA/en_pud/test.conllu" \
        --test "dm=$DATA/dm_wescience/test.sdp" --test "propbank=$DATA/ewt_propbank/test.sdp"
done
