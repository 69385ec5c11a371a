#!/usr/bin/env python3
"""Draws the results of vkprims-bench (JSON of Google Benchmark) as share of the measured copy over the size.

Rows are named primitive/variant/n, or primitive/variant/n/warm and .../cold; the variant may be left out or hold
slashes. --table needs only the standard library; the plot needs matplotlib. Rows stack_match/seed_window_SIZE_full and
…_local have a chart of their own, FILE-seed-window.png beside FILE.png: time over the size of a tile.
"""
import argparse
import json
import math
import re
import statistics
import sys
from pathlib import Path
from typing import NamedTuple, Optional

SUFFIX = re.compile(r"\w+:.*|manual_time|real_time|process_time")  # what Google Benchmark appends to a name
WINDOW = re.compile(r"seed_window_(\d+)_(full|local)")  # variants of stack_match by size of a tile
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class Row(NamedTuple):
    source: str  # device and driver
    primitive: str
    variant: str
    n: int
    cold: bool
    seconds: float
    gbps: Optional[float]
    share: Optional[float]  # of the copy, in percent


def parse_name(name):
    """(primitive, variant, n, cold), or None for a name of another form."""
    parts = name.split("/")
    while parts and SUFFIX.fullmatch(parts[-1]):
        parts.pop()
    cold = parts[-1:] == ["cold"]
    if parts[-1:] in (["cold"], ["warm"]):
        parts.pop()
    if len(parts) < 2 or not parts[-1].isdecimal():
        return None
    return parts[0], "/".join(parts[1:-1]), int(parts[-1]), cold


def read(path, keep, note):
    """The rows of one file whose name matches keep, repetitions folded to their median; note() gets the others."""
    document = json.loads(Path(path).read_text())
    context = document.get("context", {})
    source = ", ".join(str(context[k]) for k in ("device", "driver") if context.get(k)) or Path(path).stem
    samples = {}
    for entry in document.get("benchmarks", []):
        name = entry.get("run_name", entry["name"])
        if not keep.search(name):
            continue
        if entry.get("error_occurred") or entry.get("skipped"):
            reason = entry.get("error_message") or entry.get("skip_message") or "no reason given"
            note(f"{name}: {reason}" if reason.startswith(("WRONG", "FAILED")) else f"{name}: skipped: {reason}")
        elif entry.get("run_type") == "aggregate" and entry.get("aggregate_name") != "median":
            pass  # mean, stddev, cv
        elif parse_name(name):
            samples.setdefault(parse_name(name), []).append(entry)
        else:
            note(f"{name}: not of the form primitive/variant/n")

    def middle(entries, key, scale):
        values = [e[key] * scale(e) for e in entries if isinstance(e.get(key), (int, float)) and math.isfinite(e[key])]
        return statistics.median(values) if values else None

    rows = []
    for (primitive, variant, n, cold), entries in samples.items():
        seconds = middle(entries, "real_time", lambda e: SECONDS[e.get("time_unit", "ns")]) or 0.0
        gbps = middle(entries, "GB/s", lambda e: 1) or middle(entries, "bytes_per_second", lambda e: 1e-9)
        share = middle(entries, "copy_share", lambda e: 100)
        rows.append(Row(source, primitive, variant, n, cold, seconds, gbps, share))
    return rows


def in_unit(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}" if seconds < 999 * size else f"{seconds / size:.0f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def show_size(n):
    return f"2^{n.bit_length() - 1}" if n > 1 and n & (n - 1) == 0 else f"{n:,}"


def print_table(rows):
    """Markdown: the largest n of every variant, device by device."""
    for source in dict.fromkeys(row.source for row in rows):
        largest = {}
        for row in (r for r in rows if r.source == source):
            key = (row.primitive, row.variant, row.cold)
            if key not in largest or row.n > largest[key].n:
                largest[key] = row
        print(f"\n{source}\n\n| primitive | variant | n | time | GB/s | % of copy |\n|---|---|---:|---:|---:|---:|")
        for row in largest.values():
            variant = " ".join(filter(None, [row.variant, "(cold)" if row.cold else ""]))
            gbps = "–" if row.gbps is None else f"{row.gbps:,.1f}"
            share = "–" if row.share is None else f"{row.share:.0f}"
            print(f"| {row.primitive} | {variant} | {show_size(row.n)} | {in_unit(row.seconds)} | {gbps} | {share} |")
    print()


def load_pyplot():
    try:
        import matplotlib  # here, so that --table works without it
    except ImportError:
        sys.exit("plot.py: matplotlib is not installed (Debian, Ubuntu: python3-matplotlib)")
    matplotlib.use("Agg")  # draws to files, without a display
    from matplotlib import pyplot

    return pyplot


def save(figure, target):
    figure.savefig(target, dpi=130, bbox_inches="tight")
    print(f"plot: {target}")


def window_of(row):
    """(size of a tile, "full" or "local") of a row of the published scheme of stack_match, else None."""
    match = WINDOW.fullmatch(row.variant) if row.primitive == "stack_match" and not row.cold else None
    return match and (int(match[1]), match[2])


def draw_windows(rows, target):
    """The published chart of stack_match: time over the size of a tile, with what does not depend on it as levels."""
    pyplot = load_pyplot()
    charts = list(dict.fromkeys((row.source, row.n) for row in rows if window_of(row)))
    figure, grid = pyplot.subplots(1, len(charts), figsize=(6.5 * len(charts), 5), squeeze=False)
    lines = (("full", "s-", "seed_window"), ("local", "o-", "seed_window, reduction of tiles alone"))
    levels = (("cpu_sequential", "one CPU core"), ("u8_random", "stack_match, u8"), ("u32_random", "stack_match, u32"))
    for axes, (source, n) in zip(grid[0], charts):
        chart = [row for row in rows if (row.source, row.n) == (source, n)]
        windows = sorted((*window_of(row), 1e3 * row.seconds) for row in chart if window_of(row))
        for kind, style, label in lines:
            points = [(size, time) for size, of, time in windows if of == kind]
            if points:
                axes.plot(*zip(*points), style, label=label)
        for i, (variant, label) in enumerate(levels):
            for row in (r for r in chart if (r.primitive, r.variant, r.cold) == ("stack_match", variant, False)):
                axes.axhline(1e3 * row.seconds, color=f"C{i + 2}", linestyle="--", label=label)
        sizes = sorted({size for size, _, _ in windows})
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.set(xlabel="symbols of a tile = invocations of a workgroup", ylabel="ms")
        axes.set_title(f"{show_size(n)} brackets at random\n{source}", fontsize="medium")
        axes.grid(alpha=0.3, which="both")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncol=2, fontsize="small", frameon=False)
    save(figure, target)


def draw(rows, target):
    pyplot = load_pyplot()
    rows = [row for row in rows if row.share is not None and row.n > 0]
    if not rows:
        sys.exit("plot.py: no row has a copy_share, nothing to draw")
    sources = list(dict.fromkeys(row.source for row in rows))
    lines = {}  # label -> {cold: [(log2 n, share)]}
    for row in sorted(rows, key=lambda r: r.n):
        label = "/".join(filter(None, [row.primitive, row.variant]))
        if len(sources) > 1:
            label += f" – {row.source}"
        lines.setdefault(label, {}).setdefault(row.cold, []).append((math.log2(row.n), row.share))

    columns = math.ceil(len(lines) / 30)
    figure, axes = pyplot.subplots(figsize=(9 + 2.5 * columns, 6))
    axes.axhline(100, color="black", linewidth=1, label="copy")
    colours, markers = pyplot.get_cmap("tab10").colors, "os^Dv*"
    for i, label in enumerate(sorted(lines)):
        style = {"color": colours[i % 10], "marker": markers[i // 10 % len(markers)], "markersize": 4}
        for cold, points in sorted(lines[label].items()):
            name = label if len(lines[label]) == 1 or not cold else None  # one legend entry for warm and cold
            axes.plot(*zip(*points), linestyle="--" if cold else "-", label=name, **style)
    if any(row.cold for row in rows):
        axes.plot([], [], color="grey", linestyle="-", label="warm")
        axes.plot([], [], color="grey", linestyle="--", label="cold")
    axes.set(xlabel="log2 n", ylabel="% of measured copy", title="\n".join(sources))
    # Some operations need not read, or beat a copy by the cache: no use to show how far.
    axes.set_ylim(bottom=0, top=min(150, max(110, 1.05 * max(row.share for row in rows))))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), ncol=columns, fontsize="small", frameon=False)
    save(figure, target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", nargs="+", help="written by vkprims-bench --benchmark_out=FILE")
    parser.add_argument("-o", "--output", help="image to write (.png, .svg, .pdf); default: beside the first file")
    parser.add_argument("--table", action="store_true", help="print a Markdown table instead (largest n per variant)")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only rows whose name matches")
    options = parser.parse_args()
    keep = re.compile(options.filter)
    rows, left_out = [], []
    for path in options.json:
        try:
            rows += read(path, keep, left_out.append)
        except (OSError, ValueError) as error:  # e.g. a benchmark run that was cut off
            sys.exit(f"plot.py: {path}: {error}")
    if options.table:
        print_table(rows)
        print(*left_out, sep="\n", end="\n" if left_out else "", file=sys.stderr)
    else:
        target = Path(options.output or Path(options.json[0]).with_suffix(".png"))
        others = [row for row in rows if not window_of(row)]
        if len(others) < len(rows):
            draw_windows(rows, target.with_name(f"{target.stem}-seed-window{target.suffix}"))
        if any(row.share is not None for row in others) or len(others) == len(rows):
            draw(others, target)


if __name__ == "__main__":
    main()
