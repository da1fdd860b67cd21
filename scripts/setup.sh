#!/bin/sh
# Makes sure that this machine can build Couloir, and installs what is missing where apt-get is at hand.
# Usage: scripts/setup.sh build|test|plugin|page|bench|dist|smoke|cluster (`test` adds what only the test suite needs, `plugin` QGIS and its
#        tools, `page` a browser, `bench` valgrind, `dist` what compiles GDAL, `smoke` what makes bare systems and files of every format,
#        `cluster` Slurm and GDAL for Python)
# Says nothing and touches nothing when everything is there.
set -eu

purpose=${1:-build}
case $purpose in
build | test | plugin | page | bench | dist | smoke | cluster) ;;
*)
    echo "usage: $0 build|test|plugin|page|bench|dist|smoke|cluster" >&2
    exit 2
    ;;
esac
cd "$(dirname "$0")/.."

# The oldest libraries the crates gdal and proj bind to.
libraries="gdal >= 3.4 proj >= 8.2"
# What these, a linker and the `gdal` and `proj` crates need on Debian, Ubuntu and their kin.
apt_packages="build-essential pkg-config libgdal-dev libproj-dev"

# Pages are tested in a real browser, and printed.
page_packages="chromium python3"

# The plugin is tested in the real QGIS, with windows on a virtual screen and maps read back from PDF.
plugin_packages="qgis python3-qgis python3-venv xvfb poppler-utils"

stop() {
    printf '%s\n' "$@" >&2
    exit 1
}

find_rust() {
    # rustup writes PATH into the login profile only: look where it puts cargo.
    PATH=$PATH:${CARGO_HOME:-${HOME:-/root}/.cargo}/bin
    command -v cargo >/dev/null 2>&1 || stop \
        "Couloir is built with Rust, and there is no cargo on this machine. Install it with" \
        "    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y" \
        "(Windows: https://rustup.rs), open a new terminal, then run make again."
    wanted=$(sed -n 's/^rust-version *= *"\([0-9.]*\)".*/\1/p' Cargo.toml)
    found=$(rustc --version | cut -d' ' -f2)
    oldest=$(printf '%s\n%s\n' "$wanted" "${found%%-*}" | sort -V | head -n 1)
    [ "$oldest" = "$wanted" ] || stop \
        "Couloir needs Rust $wanted or newer; this is Rust $found. Update it with \`rustup update stable\`" \
        "(get rustup from https://rustup.rs if Rust came with the system), then run make again."
}

# rustfmt and clippy are left out of rustup's minimal profile.
find_rust_tools() {
    for tool in fmt:rustfmt clippy:clippy; do
        cargo "${tool%%:*}" --version >/dev/null 2>&1 && continue
        command -v rustup >/dev/null 2>&1 ||
            stop "make test needs ${tool##*:} beside cargo; install it with your system's packages or use https://rustup.rs."
        echo "installing ${tool##*:}"
        rustup component add "${tool##*:}"
    done
}

can_build() {
    command -v cc >/dev/null 2>&1 && command -v pkg-config >/dev/null 2>&1 &&
        pkg-config --exists "$libraries"
}

can_test_plugin() {
    /usr/bin/python3 -c 'import qgis.core, ensurepip' >/dev/null 2>&1 && command -v qgis_process.bin >/dev/null 2>&1 &&
        command -v xvfb-run >/dev/null 2>&1 && command -v pdftotext >/dev/null 2>&1
}

find_qgis() {
    can_test_plugin && return
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || stop \
        "The QGIS plugin is tested with QGIS 3.22 or newer for the system's Python 3, Xvfb and pdftotext; not all of them were" \
        "found. On Debian and Ubuntu they are the packages $plugin_packages."
    # shellcheck disable=SC2086  # a list of words
    missing=$(missing_apt_packages $plugin_packages)
    # shellcheck disable=SC2086  # a list of words
    [ -z "$missing" ] || apt_install $missing
    can_test_plugin || stop "QGIS is installed, but /usr/bin/python3 cannot import qgis.core."
}

find_browser() {
    for browser in chromium chromium-browser google-chrome; do
        command -v "$browser" >/dev/null 2>&1 && command -v python3 >/dev/null 2>&1 && return
    done
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || stop \
        "The interactive page is tested with Chromium and python3; not both were found: install them."
    # shellcheck disable=SC2086,SC2046  # lists of words
    apt_install $(missing_apt_packages $page_packages)
}

# callgrind counts instructions; gdal_translate is what reading and writing are compared with.
find_bench_tools() {
    command -v valgrind >/dev/null 2>&1 && command -v gdal_translate >/dev/null 2>&1 &&
        command -v python3 >/dev/null 2>&1 && return
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || stop \
        "make bench needs valgrind, gdal_translate (gdal-bin) and python3; not all of them were found: install them."
    # shellcheck disable=SC2046  # a list of words
    apt_install $(missing_apt_packages valgrind gdal-bin python3)
}

# GDAL and PROJ are compiled with CMake (zig, the C compiler for Linux, comes with pip); PROJ's database is made by sqlite3.
find_dist_tools() {
    find_rust
    command -v cmake >/dev/null 2>&1 && command -v sqlite3 >/dev/null 2>&1 && python3 -c 'import ensurepip' 2>/dev/null && return
    # Runners with Windows have all but sqlite3, and Chocolatey.
    if command -v choco >/dev/null 2>&1; then
        choco install --yes --no-progress sqlite
        return
    fi
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || stop \
        "make dist needs CMake, the program sqlite3 and Python 3 with venv; not all of them were found: install them."
    # shellcheck disable=SC2046  # a list of words
    apt_install $(missing_apt_packages build-essential cmake sqlite3 python3 python3-venv)
}

find_smoke_tools() {
    command -v debootstrap >/dev/null 2>&1 && command -v ogr2ogr >/dev/null 2>&1 && return
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || stop \
        "make dist-smoke needs debootstrap and GDAL's programs (gdal-bin); not both were found: install them."
    # shellcheck disable=SC2046  # a list of words
    apt_install $(missing_apt_packages debootstrap gdal-bin)
}

# Slurm runs on one machine; regions are made with GDAL for Python. Snakemake and Dask come with pip.
find_cluster_tools() {
    command -v slurmd >/dev/null 2>&1 && command -v munged >/dev/null 2>&1 &&
        /usr/bin/python3 -c 'import osgeo.gdal, numpy, ensurepip' 2>/dev/null && return
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || stop \
        "make cluster needs Slurm with munge and GDAL for Python; not all of them were found: install them."
    # shellcheck disable=SC2046  # a list of words
    apt_install $(missing_apt_packages slurm-wlm munge python3-gdal python3-numpy python3-venv)
}

missing_apt_packages() {
    for package in "$@"; do
        state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || state=absent
        # A package of several architectures answers once for each.
        case $state in installed*) ;; *) printf '%s ' "$package" ;; esac
    done
}

apt_install() {
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null 2>&1 || stop \
            "These system packages are missing, and installing them needs root (no sudo here). As root, run" \
            "    apt-get install --no-install-recommends $*" \
            "then run make again."
        as_root=sudo
    fi
    echo "installing system packages: $*"
    # A stale or broken third-party source must not stop us: what counts is whether the install works.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 update ||
        echo "apt-get update complained; going on with the package lists at hand" >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 \
        install --no-install-recommends "$@"
}

say_what_to_install() {
    stop \
        "Couloir needs a C compiler, pkg-config, GDAL 3.4 or newer and PROJ 8.2 or newer; not all of them were found." \
        "Install them, then run make again:" \
        "    macOS (Homebrew)      brew install pkg-config gdal proj" \
        "    Fedora, RHEL (EPEL)   sudo dnf install gcc gcc-c++ pkgconf-pkg-config gdal-devel proj-devel" \
        "    any system (conda)    conda install -c conda-forge compilers pkg-config libgdal proj" \
        "                          export PKG_CONFIG_PATH=\"\$CONDA_PREFIX/lib/pkgconfig\" LD_LIBRARY_PATH=\"\$CONDA_PREFIX/lib\"" \
        "    Windows               use WSL (then apt installs everything), or OSGeo4W: in its installer choose gdal, gdal-devel," \
        "                          proj and proj-devel, add pkg-config (conda-forge or MSYS2), set GDAL_HOME=C:\\OSGeo4W and" \
        "                          PKG_CONFIG_PATH=C:\\OSGeo4W\\lib\\pkgconfig"
}

if [ "$purpose" = plugin ]; then
    find_qgis
    exit 0
fi
if [ "$purpose" = page ]; then
    find_browser
    exit 0
fi
if [ "$purpose" = dist ]; then
    find_dist_tools
    exit 0
fi
if [ "$purpose" = smoke ]; then
    find_smoke_tools
    exit 0
fi
if [ "$purpose" = cluster ]; then
    find_cluster_tools
    exit 0
fi
[ "$purpose" != bench ] || find_bench_tools
find_rust
[ "$purpose" != test ] || find_rust_tools
can_build && exit 0
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then
    # shellcheck disable=SC2086  # a list of words
    missing=$(missing_apt_packages $apt_packages)
    # shellcheck disable=SC2086  # a list of words
    [ -z "$missing" ] || apt_install $missing
    can_build && exit 0
    stop "GDAL and PROJ are installed, but $(command -v pkg-config || echo pkg-config) does not find ${libraries}:" \
        "another pkg-config (conda?) or PKG_CONFIG_PATH may be in the way, or this system's versions are too old."
fi
say_what_to_install
