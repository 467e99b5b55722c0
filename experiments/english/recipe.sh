#!/bin/sh
# From treebanks to the models `en` and `en-fast`, in rounds: a large model learns from the treebank and labels a part of
# the text, from which small ones learn. From the second round on encoders begin as the round before has left them.
#
#   experiments/english/recipe.sh FOLDER [OPTIONS OF ARCTAG TRAIN …]
#
# It goes on where it was interrupted. MPNET and MINILM are folders of the encoders, if there is no hub to take them from;
# STUDENTS is what is trained of the two models; the text is taken in so many parts (PARTS), a part in a round.
set -eu
cd "$(dirname "$0")/../.."
out=${1:?name a folder for all that is made}; shift
: "${MPNET:=sentence-transformers/all-mpnet-base-v2}" "${MINILM:=sentence-transformers/all-MiniLM-L6-v2}"
: "${STUDENTS:=en en-fast}" "${PARTS:=3}" "${ROUNDS:=2}" "${DATA:=../shared/data}" "${BIN:=.venv/bin}"
here=experiments/english
mkdir -p "$out"

train() { # CONFIG FOLDER OPTIONS …
    config=$1 folder=$2; shift 2
    [ -e "$folder/config.json" ] && [ ! -e "$folder/checkpoints" ] && return
    [ -e "$folder/checkpoints" ] && set -- "$@" --resume
    "$BIN/arctag" train --config "$here/$config.toml" --train "$out/ewt-train.conllup" --dev "$out/ewt-dev.conllup" \
        -o "$folder" "$@"
}

encoder_of() { # MODEL FOLDER
    [ -e "$2" ] || "$BIN/python" $here/encoder_of.py "$1" -o "$2"
}

for part in train dev; do
    [ -e "$out/ewt-$part.conllup" ] || "$BIN/python" $here/join.py "$DATA/en_ewt/$part.conllu" \
        "propbank=$DATA/ewt_propbank/$part.sdp" -o "$out/ewt-$part.conllup"
done
[ -e "$out/minilm-3" ] || "$BIN/python" $here/fewer_layers.py "$MINILM" --keep 0 2 5 -o "$out/minilm-3"

round=1
while [ "$round" -le "$ROUNDS" ]; do
    train teacher "$out/teacher-$round" --encoder "$MPNET" "$@"
    encoder_of "$out/teacher-$round" "$out/mpnet-$round"
    MPNET=$out/mpnet-$round
    [ -e "$out/text-$round" ] || "$BIN/python" $here/hyphens.py "$DATA/en_ewt/train.conllu" \
        "$DATA"/unlabelled_en/*.txt.xz --every "$PARTS" --skip $(((round - 1) % PARTS)) -o "$out/text-$round"
    for name in $STUDENTS; do
        encoder=$MINILM
        [ "$name" = en ] || encoder=$out/minilm-3
        [ "$round" -eq 1 ] || encoder=$out/$name-encoder-$((round - 1))
        train en "$out/$name-$round" --encoder "$encoder" --name "$name" --unlabelled "$out/text-$round" \
            --silver "$out/silver" --teacher "$out/teacher-$round" "$@"
        encoder_of "$out/$name-$round" "$out/$name-encoder-$round"
    done
    round=$((round + 1))
done

for name in $STUDENTS; do
    "$BIN/arctag" export -m "$out/$name-$ROUNDS" -o "$out/$name" --force \
        --test "$DATA/en_ewt/test.conllu" --test "$DATA/en_pud/test.conllu" \
        --test "dm=$DATA/dm_wescience/test.sdp" --test "dm=$DATA/dm_wescience/ood.sdp" \
        --test "propbank=$DATA/ewt_propbank/test.sdp"
done
