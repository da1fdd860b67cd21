#!/bin/sh
# Measures speed and prints one table beside the numbers recorded in benches/RESULTS.md.
# Usage: scripts/bench.sh [record] [PART …]
#   record   also write the numbers, machine, date and revision into benches/RESULTS.md
#   ROCKS=200 in the environment makes ramp1000 and rapier shorter
#   PART     ramp1000 rapier instructions threads rocks dem fixed io; all of them if none is named
set -eu

cd "$(dirname "$0")/.."
out=target/bench
mkdir -p $out

record=
if [ "${1:-}" = record ]; then
    record=record
    shift
fi
parts=${*:-ramp1000 rapier instructions threads rocks dem fixed io}

scripts/setup.sh bench

wants() {
    case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

# Keeps what a part has measured and shows the rest of what it says.
keep() {
    tee -a $out/log.txt | grep -v '^= ' || true
}

# The program of a bench, built now.
built() {
    cargo bench --locked --no-run --bench "$1" --message-format=json 2>>$out/build.log |
        sed -n 's/.*"executable":"\([^"]*\/'"$1"'-[^"]*\)".*/\1/p' | tail -n 1
}

: >$out/log.txt
: >$out/build.log

if wants ramp1000; then
    "$(built ramp1000)" "${ROCKS:-1000}" | keep
fi
if wants rapier; then
    CARGO_TARGET_DIR=$PWD/target/rapier cargo build --release --locked --quiet --manifest-path benches/rapier/Cargo.toml
    target/rapier/release/couloir-beside-rapier "${ROCKS:-1000}" | keep
fi
if wants instructions; then
    valgrind --tool=callgrind --callgrind-out-file=$out/callgrind.out "$(built kernels)" callgrind 2>$out/callgrind.log | keep
    # A function is listed once for each source file it was made of; the largest count is the whole of it.
    callgrind_annotate --inclusive=yes --threshold=100 --auto=no --show-percs=no $out/callgrind.out | awk '
        match($0, /kernel::kernel_[a-z_]+/) {
            name = substr($0, RSTART + 15, RLENGTH - 15)
            gsub(",", "", $1)
            if ($1 + 0 > most[name]) most[name] = $1 + 0
        }
        END { for (name in most) printf "= instructions_%s %.0f\n", name, most[name] }' >>$out/log.txt
fi
scaling=
for part in threads rocks dem fixed io; do
    if wants $part; then
        [ -n "$scaling" ] || scaling=$(built scaling)
        "$scaling" $part | keep
    fi
done

echo
python3 scripts/bench_table.py $out/log.txt benches/RESULTS.md $record
