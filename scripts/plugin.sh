#!/bin/sh
# The QGIS plugin. Usage: scripts/plugin.sh test|guide|build
#   test   lint it, scan it as the plugin repository does, and test it in the real QGIS with the engine under target/ (screenshots go to build/screenshots)
#   guide  renew the pictures of docs/user-guide.md: the test in a real window, with more rocks
#   build  pack build/couloir.zip and check it as the official plugin repository does
set -eu

cd "$(dirname "$0")/.."
top=$PWD
venv=build/venv

# Tools only: the plugin itself needs nothing but QGIS. QGIS belongs to the system's Python.
if ! [ -x $venv/bin/pytest ]; then
    /usr/bin/python3 -m venv --system-site-packages $venv
    $venv/bin/pip install --quiet --disable-pip-version-check \
        pytest-qgis==5.0.2 ruff==0.17.4 flake8==7.5.0 flake8-qgis==2.1.0 bandit==1.9.4 detect-secrets==1.5.0
fi

case ${1:-} in
test | guide)
    $venv/bin/ruff check --quiet qgis_plugin tests/plugin scripts
    $venv/bin/ruff format --quiet --check qgis_plugin tests/plugin scripts
    # What the official repository checks at every upload.
    $venv/bin/python scripts/pack_plugin.py
    cargo build --locked --quiet
    # A profile of its own: neither the user's QGIS settings nor their plugins take part.
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    mkdir -m 700 "$scratch/runtime"
    selection=
    if [ "$1" = guide ]; then
        selection="test_window.py -k path"
        export COULOIR_SPACING=3
    fi
    cd tests/plugin
    # shellcheck disable=SC2086  # words
    HOME=$scratch XDG_RUNTIME_DIR=$scratch/runtime COULOIR_ENGINE=${COULOIR_ENGINE:-$top/target/debug/couloir} \
        xvfb-run -a -s "-screen 0 1600x1000x24" "$top/$venv/bin/python" -m pytest $selection
    [ "$1" = test ] || for picture in "$top"/docs/images/guide-*.png; do
        cp "$top/build/screenshots/$(basename "$picture")" "$picture"
    done
    ;;
build)
    $venv/bin/python scripts/pack_plugin.py
    ;;
*)
    echo "usage: $0 test|guide|build" >&2
    exit 2
    ;;
esac
