#!/bin/sh
# Checks and runs a sample project, then says where its results are.
# Usage: scripts/demo.sh ENGINE PROJECT RUN_FOLDER
set -eu
engine=$1 project=$2 run=$3

up_to_date() {
    [ -f "$run/manifest.json" ] &&
        [ -z "$(find "$engine" "$(dirname "$project")" -type f -newer "$run/manifest.json" | head -n 1)" ]
}

if up_to_date; then
    echo "$run is up to date (remove it to run again)."
else
    "$engine" check "$project"
    # As many rocks as it takes for the map to settle.
    "$engine" run "$project" --until-stable --out "$run" --overwrite
fi

echo
echo "Hazard layers (open them in QGIS):"
find "$run" -name '*.tif' | sort | sed 's/^/    /'
echo "Preview pictures:"
find "$run" -name '*.png' | sort | sed 's/^/    /'
if [ -f "$run/report.html" ]; then echo "Report: $run/report.html"; fi
