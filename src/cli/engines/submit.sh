#!/bin/sh
# Submits all parts, and the merge to follow them. What is killed goes on where it stopped: submit again.
set -eu
cd @FOLDER@
array=$(sbatch --parsable "$@" part.sh)
merge=$(sbatch --parsable --dependency="afterok:${array%%;*}" "$@" merge.sh)
echo "parts: job ${array%%;*}, merge: job ${merge%%;*}"
