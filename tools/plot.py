#!/usr/bin/env python3
"""Draws the results of vkprims-bench (JSON of Google Benchmark): share of the measured copy over
the size, by family.

A panel has at most eight curves, of warm rows; --filter chooses others, and --table prints all
rows. With files of bench/peers beside them, the table has the peers' times in the rows that do the
same. Rows are named primitive/variant/n, or primitive/variant/n/warm and .../cold; the variant may
be left out or hold slashes. --table needs only the standard library; the plot needs matplotlib.
Rows stack_match/seed_window_SIZE_full and …_local have a chart of their own, FILE-seed-window.png
beside FILE.png: time over the size of a tile.
"""
import argparse
import json
import math
import re
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple, Optional

# What Google Benchmark appends to a name.
SUFFIX = re.compile(r"\w+:.*|manual_time|real_time|process_time")
WINDOW = re.compile(r"seed_window_(\d+)_(full|local)")  # variants of stack_match by size of a tile
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
# Whose rows are those of bench/peers.
PEERS = {"cub": "CUB", "cuda": "CUDA", "pytorch": "PyTorch", "thrust": "Thrust"}
MOST_CURVES = 8  # in a panel


class Row(NamedTuple):
    source: str  # device and driver
    family: str
    primitive: str
    variant: str
    n: int
    cold: bool
    seconds: float
    gbps: Optional[float]
    share: Optional[float]  # of the copy, in percent
    rate: Optional[float]  # elements per second

    @property
    def name(self):
        return "/".join(filter(None, [self.primitive, self.variant]))


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


def read(path, keep, complain, skipped):
    """The rows of one file whose name matches keep, repetitions folded to their median.

    complain() gets what went wrong, skipped[reason] counts rows that were left out.
    """
    document = json.loads(Path(path).read_text())
    context = document.get("context", {})
    origin = [str(context[k]) for k in ("device", "driver") if context.get(k)]
    source = ", ".join(origin) or Path(path).stem
    families = dict(pair.split("=") for pair in context.get("families", "").split())
    samples = {}
    for entry in document.get("benchmarks", []):
        name = entry.get("run_name", entry["name"])
        if not keep.search(name):
            continue
        if entry.get("error_occurred") or entry.get("skipped"):
            reason = entry.get("error_message") or entry.get("skip_message") or "no reason given"
            if reason.startswith(("WRONG", "FAILED")):
                complain(f"{name}: {reason}")
            else:
                skipped[reason] += 1
        elif entry.get("run_type") == "aggregate" and entry.get("aggregate_name") != "median":
            pass  # mean, stddev, cv
        elif parse_name(name):
            samples.setdefault(parse_name(name), []).append(entry)
        else:
            complain(f"{name}: not of the form primitive/variant/n")

    def middle(entries, key, scale):
        values = [e[key] * scale(e) for e in entries
                  if isinstance(e.get(key), (int, float)) and math.isfinite(e[key])]
        return statistics.median(values) if values else None

    rows = []
    for (primitive, variant, n, cold), entries in samples.items():
        seconds = middle(entries, "real_time", lambda e: SECONDS[e.get("time_unit", "ns")]) or 0.0
        gbps = (middle(entries, "GB/s", lambda e: 1) or
                middle(entries, "bytes_per_second", lambda e: 1e-9))
        share = middle(entries, "copy_share", lambda e: 100)
        rate = middle(entries, "items_per_second", lambda e: 1)
        family = families.get(primitive, primitive)  # older files do not say
        rows.append(Row(source, family, primitive, variant, n, cold, seconds, gbps, share, rate))
    return rows


def with_prefix(value, unit=""):
    """Three digits and a prefix: 3.31 m, 40.5 G."""
    for prefix, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0), ("m", 1e-3),
                         ("µ", 1e-6)):
        if value >= size:
            return f"{value / size:.{3 if value < 999 * size else 4}g} {prefix}{unit}"
    return f"{value * 1e9:.0f} n{unit}"


def show_size(n):
    return f"2^{n.bit_length() - 1}" if n > 1 and n & (n - 1) == 0 else f"{n:,}"


def as_peer(row):
    """What bench/peers call a row that does the same; CUB's only sort is called sort."""
    return f"{row.primitive}_{row.variant}".removeprefix("radix_"), row.n


def by_family(rows):
    """{family: its rows}, in the order of the rows within a family.

    What is no primitive comes last.
    """
    families = {}
    for row in sorted(rows, key=lambda r: (r.family == "other", r.family)):
        families.setdefault(row.family, []).append(row)
    return families


def print_table(rows):
    """Markdown: the largest n of every variant, device by device and family by family."""
    peers = {(row.variant, row.n): row for row in rows if row.primitive in PEERS}
    matched = {as_peer(row) for row in rows} & peers.keys()
    rows = [row for row in rows
            if row.primitive not in PEERS or (row.variant, row.n) not in matched]
    for source in dict.fromkeys(row.source for row in rows):
        largest = {}
        for row in (r for r in rows if r.source == source):
            key = (row.name, row.cold)
            if key not in largest or row.n > largest[key].n:
                largest[key] = row
        lines = [["", "n", "time", "elements/s", "bytes/s", "% of copy", "peer"]]
        for family, members in by_family(largest.values()).items():
            lines.append([f"**{family}**"] + 6 * [""])
            for row in members:
                rates = [rate and with_prefix(rate)
                         for rate in (row.rate, row.gbps and 1e9 * row.gbps)]
                peer = None if row.cold else peers.get(as_peer(row))
                lines.append([
                    row.name + (" (cold)" if row.cold else ""), show_size(row.n),
                    with_prefix(row.seconds, "s"),
                    *(rate or "–" for rate in rates),
                    "–" if row.share is None else f"{row.share:.{1 if row.share < 10 else 0}f}",
                    f"{PEERS[peer.primitive]} {with_prefix(peer.seconds, 's')}" if peer else "",
                ])
        if not any(line[-1] for line in lines[1:]):
            lines = [line[:-1] for line in lines]
        widths = [max(map(len, column)) for column in zip(*lines)]
        lines.insert(1, ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]])
        print(f"\n{source}\n")
        for first, *others in lines:
            cells = [first.ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(others, widths[1:])]
            print("|", " | ".join(cells), "|")
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
    figure.savefig(target, dpi=100)
    print(f"plot: {target}")


def window_of(row):
    """(size of a tile, "full" or "local") of a row of the published scheme of stack_match.

    Of other rows, None.
    """
    if row.primitive != "stack_match" or row.cold:
        return None
    match = WINDOW.fullmatch(row.variant)
    return match and (int(match[1]), match[2])


def draw_windows(rows, target):
    """The published chart of stack_match: time over the size of a tile.

    What does not depend on that is drawn as levels.
    """
    pyplot = load_pyplot()
    charts = list(dict.fromkeys((row.source, row.n) for row in rows if window_of(row)))
    figure, grid = pyplot.subplots(1, len(charts), figsize=(8 * len(charts), 6.5), squeeze=False,
                                   layout="constrained")
    lines = (("full", "s-", "seed_window"),
             ("local", "o-", "seed_window, reduction of tiles alone"))
    levels = (("cpu_sequential", "one CPU core"), ("u8_random", "stack_match, u8"),
              ("u32_random", "stack_match, u32"))
    for axes, (source, n) in zip(grid[0], charts):
        chart = [row for row in rows if (row.source, row.n) == (source, n)]
        windows = sorted((*window_of(row), 1e3 * row.seconds) for row in chart if window_of(row))
        for kind, style, label in lines:
            points = [(size, time) for size, of, time in windows if of == kind]
            if points:
                axes.plot(*zip(*points), style, label=label)
        for i, (variant, label) in enumerate(levels):
            wanted = ("stack_match", variant, False)
            for row in (r for r in chart if (r.primitive, r.variant, r.cold) == wanted):
                axes.axhline(1e3 * row.seconds, color=f"C{i + 2}", linestyle="--", label=label)
        sizes = sorted({size for size, _, _ in windows})
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.set(xlabel="symbols of a tile = invocations of a workgroup", ylabel="ms")
        axes.set_title(f"{show_size(n)} brackets at random\n{source}", fontsize="medium")
        axes.grid(alpha=0.3, which="both")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncol=2, fontsize="small",
                    frameon=False)
    save(figure, target)


def choose_curves(rows):
    """[rows] of the curves of one panel, and how many it lacks.

    Of every primitive there is the first variant, then the second ones, up to MOST_CURVES.
    """
    curves, variants = {}, {}
    for row in rows:
        curves.setdefault((row.source, row.name), []).append(row)
        variants.setdefault((row.source, row.primitive), {})[row.name] = None
    rank = {key: list(variants[key[0], curve[0].primitive]).index(key[1])
            for key, curve in curves.items()}
    chosen = set(sorted(curves, key=rank.get)[:MOST_CURVES])
    return [curve for key, curve in curves.items() if key in chosen], len(curves) - len(chosen)


def labels_of(curves, sources):
    """As short as they are clear: the heading of the panel and the other curves say the rest."""
    first = [curve[0] for curve in curves]
    variants = Counter((row.source, row.primitive) for row in first)
    one_primitive = len({row.primitive for row in first}) == 1
    for row in first:
        label = row.primitive if variants[row.source, row.primitive] == 1 else row.name
        if one_primitive and row.variant:
            label = row.variant
        yield f"{label} ({1 + sources.index(row.source)})" if len(sources) > 1 else label


def draw(rows, target):
    """Small multiples: a panel a family."""
    pyplot = load_pyplot()
    rows = [row for row in rows if row.share is not None and row.n > 0 and not row.cold]
    if not rows:
        sys.exit("plot.py: no warm row has a copy_share, nothing to draw")
    sources = list(dict.fromkeys(row.source for row in rows))
    families = by_family(rows)
    columns = math.ceil(math.sqrt(len(families)))
    lines = math.ceil(len(families) / columns)
    size = min(16, 8 * columns), min(12, 6 * lines)
    figure, grid = pyplot.subplots(lines, columns, figsize=size, squeeze=False, sharex=True,
                                   layout="constrained")
    ticks = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
    for axes in grid.flat[len(families):]:
        axes.set_axis_off()
    for axes, (family, members) in zip(grid.flat, families.items()):
        curves, left_out = choose_curves(members)
        for curve, label, marker in zip(curves, labels_of(curves, sources), "os^Dv*PX"):
            points = sorted((math.log2(row.n), row.share) for row in curve)
            axes.plot(*zip(*points), marker=marker, markersize=6, label=label)
        axes.axhline(100, color="black", linewidth=1)  # the copy
        axes.set_title(family + (f" ({left_out} more in the table)" if left_out else ""),
                       fontweight="bold")
        axes.set_yscale("log")
        axes.set_yticks(ticks, [str(tick) for tick in ticks])
        axes.yaxis.set_minor_formatter("")
        # Some operations need not read, or beat a copy by the cache: no use to show how far.
        axes.set_ylim(max(0.1, 0.8 * min(40, *(row.share for row in members))), 150)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.tick_params(labelbottom=True)
        axes.grid(alpha=0.3)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08), ncol=2, frameon=False)
    figure.supxlabel("log2 n")
    figure.supylabel("% of measured copy")
    numbered = [f"({i}) {source}" for i, source in enumerate(sources, 1)]
    figure.suptitle("\n".join(numbered if len(sources) > 1 else sources))
    save(figure, target)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", nargs="+", help="written by vkprims-bench --benchmark_out=FILE")
    parser.add_argument("-o", "--output",
                        help="image to write (.png, .svg, .pdf); default: beside the first file")
    parser.add_argument("--table", action="store_true",
                        help="print a Markdown table instead (largest n per variant)")
    parser.add_argument("--filter", default="", metavar="REGEX",
                        help="only rows whose name matches")
    options = parser.parse_args()
    keep = re.compile(options.filter)
    rows, wrong, skipped = [], [], Counter()
    for path in options.json:
        try:
            rows += read(path, keep, wrong.append, skipped)
        except (OSError, ValueError) as error:  # e.g. a benchmark run that was cut off
            sys.exit(f"plot.py: {path}: {error}")
    if options.table:
        print_table(rows)
        if skipped:
            print("skipped:", "; ".join(f"{count} rows: {reason}"
                                        for reason, count in skipped.most_common()))
        for line in wrong:
            print(line, file=sys.stderr)
    else:
        target = Path(options.output or Path(options.json[0]).with_suffix(".png"))
        others = [row for row in rows if not window_of(row)]
        if len(others) < len(rows):
            draw_windows(rows, target.with_name(f"{target.stem}-seed-window{target.suffix}"))
        if any(row.share is not None for row in others) or len(others) == len(rows):
            draw(others, target)


if __name__ == "__main__":
    main()
