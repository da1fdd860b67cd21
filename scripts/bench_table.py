"""The table of `make bench`: what was measured beside the recorded numbers of benches/RESULTS.md.

Usage: bench_table.py LOG RESULTS.md [record]

The log holds lines `= key value`. The recorded numbers stand in RESULTS.md between the two marks, in the same form.
"""

from __future__ import annotations

import datetime
import pathlib
import platform
import subprocess
import sys

BEGIN, END = "<!-- recorded by scripts/bench.sh: begin -->", "<!-- recorded by scripts/bench.sh: end -->"
# Instruction counts are repeatable: a change beyond this is real.
REGRESSION = 1.05

# Key, what it is, unit, what is wanted (at most or at least), or None.
FIGURES = [
    ("yardstick_ns_per_step", "yardstick, a step of 2 ms", "ns", None),
    ("implicit_ns_per_step", "implicit, a step of 2 ms", "ns", None),
    ("implicit_to_yardstick", "  to the yardstick", "×", ("<=", 1.0)),
    ("implicit_cpu_s_per_1000", "  1000 rocks", "CPU s", None),
    ("explicit_ns_per_step", "explicit, a step of 2 ms", "ns", None),
    ("explicit_to_yardstick", "  to the yardstick", "×", None),
    ("explicit_cpu_s_per_1000", "  1000 rocks", "CPU s", None),
    ("implicit_to_explicit", "implicit to explicit", "×", ("<=", 1.2)),
    ("rapier_f64_ns_per_step", "rapier3d f64, a step of 2 ms", "ns", None),
    ("rapier_f64_to_yardstick", "  to the yardstick", "×", None),
    ("rapier_f64_cpu_s_per_1000", "  1000 rocks", "CPU s", None),
    ("rapier_f64_to_implicit", "  to couloir, implicit", "×", (">=", 20.0)),
    ("rapier_f32_ns_per_step", "rapier3d f32, a step of 2 ms", "ns", None),
    ("rapier_f32_to_yardstick", "  to the yardstick", "×", None),
    ("rapier_f32_cpu_s_per_1000", "  1000 rocks", "CPU s", None),
    ("rapier_f32_to_implicit", "  to couloir, implicit", "×", None),
    *(
        (f"{engine}_{key}", f"{text}, {name}", unit, None)
        for key, text, unit in [
            ("run_out_m", "mean run-out", "m"),
            ("max_translational_kj", "mean of the largest translational energy", "kJ"),
            ("max_energy_kj", "mean of the largest energy with rotation", "kJ"),
        ]
        for engine, name in [
            ("implicit", "implicit"),
            ("explicit", "explicit"),
            ("rapier_f64", "rapier3d f64"),
            ("rapier_f32", "rapier3d f32"),
        ]
    ),
    ("two_threads_by_wall", "two threads to one, by the wall (idle machine only)", "×", (">=", 1.9)),
    ("two_threads_by_cpu", "two threads to one, by the busiest worker", "×", (">=", 1.9)),
    ("two_ensembles_apart", "  two ensembles that share nothing: what the machine gives", "×", None),
    ("two_threads_of_machine", "  two threads to that", "×", (">=", 0.95)),
    ("two_threads_cpu_inflation", "CPU time of two threads to one", "×", None),
    ("ten_times_the_rocks", "ten times the rocks", "×", ("<=", 10.5)),
    ("hundred_times_the_cells", "a rock on 100 Mcell to one on 1 Mcell", "×", ("<=", 1.2)),
    ("run_beyond_simulation_wall_s", "run beyond simulation, wall", "s", ("<=", 0.5)),
    ("fixed_wall_s", "  merging one part instead, wall", "s", ("<=", 0.5)),
    ("fixed_least_wall_s", "  the best of five", "s", ("<=", 0.5)),
    ("fixed_cpu_s", "  CPU", "s", None),
    ("read_strip_wall_s", "read 100 Mcell, uncompressed strips", "s", None),
    ("read_strip_speed_to_gdal_translate_wall", "  speed to gdal_translate, wall", "×", (">=", 0.6)),
    ("read_strip_speed_to_gdal_translate_cpu", "  speed to gdal_translate, CPU", "×", (">=", 0.6)),
    ("read_strip_speed_to_gdal_translate_to_memory_cpu", "  speed to gdal_translate into memory, CPU", "×", None),
    ("read_tiled_deflate_wall_s", "read 100 Mcell, deflated tiles", "s", None),
    ("read_tiled_deflate_speed_to_gdal_translate_wall", "  speed to gdal_translate, wall", "×", (">=", 0.6)),
    ("read_tiled_deflate_speed_to_gdal_translate_cpu", "  speed to gdal_translate, CPU", "×", (">=", 0.6)),
    ("read_tiled_deflate_speed_to_gdal_translate_to_memory_cpu", "  speed to gdal_translate into memory, CPU", "×", None),
    ("write_layer_wall_s", "write a layer of 100 Mcell", "s", None),
    ("write_layer_speed_to_gdal_translate_wall", "  speed to gdal_translate, wall", "×", (">=", 1.0)),
    ("write_layer_speed_to_gdal_translate_cpu", "  speed to gdal_translate, CPU", "×", (">=", 1.0)),
]


def numbers(text: str) -> dict[str, float]:
    """The values of all lines `= key value`."""
    lines = [line.split() for line in text.splitlines() if line.startswith("= ")]
    return {words[1]: float(words[2]) for words in lines if len(words) == 3}


def derived(measured: dict[str, float]) -> dict[str, float]:
    """Adds instructions per call and the ratios between engines, by way of the yardstick each was measured beside."""
    result = {key: value for key, value in measured.items() if not key.startswith(("calls_", "instructions_"))}
    for key, calls in measured.items():
        name = key.removeprefix("calls_")
        if name != key and f"instructions_{name}" in measured:
            result[f"instructions_per_{name}"] = measured[f"instructions_{name}"] / calls
    for kind in ("f64", "f32"):
        if (theirs := f"rapier_{kind}_to_yardstick") in result and "implicit_to_yardstick" in result:
            result[f"rapier_{kind}_to_implicit"] = result[theirs] / result["implicit_to_yardstick"]
    return result


def row(text: str, value: float, unit: str, wanted: tuple[str, float] | None, before: float | None, strict: bool) -> str:
    """One line of the table."""
    aim, verdict = "", ""
    if wanted:
        sign, limit = wanted
        aim = f"{'≤' if sign == '<=' else '≥'} {limit:g}"
        verdict = "" if (value <= limit if sign == "<=" else value >= limit) else "MISSED"
    last, change = ("", "") if before is None else (f"{before:.4g}", f"{value / before:.3f}" if before else "")
    if strict and before and value > REGRESSION * before:
        verdict = "REGRESSION"
    return f"{text:<58} {value:>10.4g} {unit:<6} {aim:>8} {last:>10} {change:>9}  {verdict}".rstrip()


def table(found: dict[str, float], before: dict[str, float]) -> str:
    """All that was measured, in order."""
    lines = [f"{'what':<58} {'now':>10} {'':<6} {'wanted':>8} {'recorded':>10} {'to that':>9}"]
    for key, text, unit, wanted in FIGURES:
        if key in found:
            lines.append(row(text, found[key], unit, wanted, before.get(key), strict=False))
    for key in sorted(key for key in found if key.startswith("instructions_per_")):
        text = "instructions: " + key.removeprefix("instructions_per_").replace("_", " ")
        lines.append(row(text, found[key], "", None, before.get(key), strict=True))
    return "\n".join(lines)


def output(*command: str) -> str:
    """What a command says, or nothing where it does not exist."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine() -> str:
    """Processor, number of cores, compiler."""
    text = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    names = [line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")]
    cores = f"{len(names)} × {names[0]}" if names else platform.processor() or platform.machine()
    return f"{cores}, {platform.system()}, {output('rustc', '--version')}"


def recorded(found: dict[str, float], before: dict[str, float]) -> str:
    """The block between the marks; figures that were not measured now keep their values."""
    revision = output("git", "rev-parse", "--short", "HEAD")
    if output("git", "status", "--porcelain", "--untracked-files=no"):
        revision += " with changes"
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    values = before | found
    lines = [BEGIN, "```", f"machine {machine()}", f"date {date}", f"revision {revision}"]
    lines += [f"= {key} {values[key]:.6g}" for key in sorted(values)]
    return "\n".join([*lines, "```", END])


def main() -> None:
    """Prints the table; with `record` also keeps the numbers. Ends with 1 if an instruction count has grown."""
    log, results = (pathlib.Path(argument) for argument in sys.argv[1:3])
    text = results.read_text()
    head, found_begin, rest = text.partition(BEGIN)
    block, found_end, tail = rest.partition(END)
    if not (found_begin and found_end):
        sys.exit(f"{results} has no block between '{BEGIN}' and '{END}'")
    before, found = numbers(block), derived(numbers(log.read_text()))
    lines = table(found, before)
    print(lines)
    if "record" in sys.argv[3:]:
        results.write_text(head + recorded(found, before) + tail)
        print(f"\nrecorded in {results}")
    elif "REGRESSION" in lines:
        sys.exit("instruction counts have grown by more than 5 %: mend that, or record the new ones")


main()
