#!/usr/bin/env python3
"""Draws a sample of the SVG files of a directory with scene2d, and compares with rsvg-convert.

The sample is evenly spaced over the sorted list of files; links are left out. The difference of two
pictures is the mean of |a - b| over the channels (0 ... 255) of all pixels. The exit status is 1 if
the program failed on a file, if less than 85 % of the files were drawn with nothing skipped, or if
these differ by more than 3 on average.

Needs rsvg-convert (librsvg2-bin), Pillow and numpy (python3-pil, python3-numpy).
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, Optional

import numpy
from PIL import Image, ImageDraw

LEAST_CLEAN = 0.85  # share of files
MOST_DIFFERENCE = 3
WORST = 10  # rows of the sheet
SECONDS = 120  # for one file


class Result(NamedTuple):
    name: str
    error: Optional[str] = None  # of the program
    skipped: Counter = Counter()  # how often, by name
    ours: Optional[numpy.ndarray] = None
    reference: Optional[numpy.ndarray] = None  # None if rsvg-convert failed

    @property
    def difference(self):
        return float(numpy.abs(self.ours - self.reference).mean())

    @property
    def is_comparable(self):
        return self.ours is not None and self.reference is not None


def sample(directory, count):
    files = sorted(p for p in Path(directory).rglob("*.svg") if p.is_file() and not p.is_symlink())
    count = min(count, len(files))
    return [files[i * len(files) // count] for i in range(count)]


def read_picture(path):
    with Image.open(path) as picture:
        return numpy.asarray(picture.convert("RGB"), dtype=numpy.int16)


def run(command):
    """The standard output, and None or what went wrong."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "", f"took more than {SECONDS} s"
    error = done.stderr.decode(errors="replace").strip() or "no message"
    return (done.stdout.decode(errors="replace"),
            f"status {done.returncode}: {error}" if done.returncode else None)


def draw_reference(file, size, path):
    """Fitted into a square and centred, as an SVG viewer does; None if it cannot be drawn."""
    command = ["rsvg-convert", "--keep-aspect-ratio", f"--width={size}", f"--height={size}",
               "--background-color=white", f"--output={path}"]
    if run([*command, file])[1]:
        return None
    picture = read_picture(path)
    height, width = picture.shape[:2]
    if (width, height) == (size, size):
        return picture
    page = [f"--page-width={size}", f"--page-height={size}",
            f"--left={(size - width) / 2}", f"--top={(size - height) / 2}"]
    return None if run([*command, *page, file])[1] else read_picture(path)


def parse_skipped(output):
    """From lines like "skipped: filter x2, text x1"."""
    skipped = Counter()
    for line in re.findall(r"skipped: (.*)", output):
        for name, times in re.findall(r"(.+?) x(\d+)(?:, |$)", line):
            skipped[name] += int(times)
    return skipped


def examine(file, name, options):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "ours.png")
        command = [options.program, str(file), "--size", f"{options.size}x{options.size}",
                   "--png", path, *(["--cpu"] if options.cpu else [])]
        output, error = run(command)
        if error:
            return Result(name, error)
        reference = draw_reference(str(file), options.size, os.path.join(directory, "theirs.png"))
        return Result(name, None, parse_skipped(output), read_picture(path), reference)


def write_sheet(path, results, size):
    """One row for each: our picture, the reference, and four times the difference, inverted."""
    text = 16
    sheet = Image.new("RGB", (3 * size + 40, len(results) * (size + text + 10) + 10), "#ddd")
    pen = ImageDraw.Draw(sheet)
    for row, result in enumerate(results):
        top = 10 + row * (size + text + 10)
        name = result.name.encode("ascii", "replace").decode()  # the font has no other letters
        pen.text((10, top), f"{result.difference:.2f} {name}", fill="black")
        difference = 255 - numpy.minimum(255, 4 * numpy.abs(result.ours - result.reference))
        for column, pixels in enumerate([result.ours, result.reference, difference]):
            picture = Image.fromarray(pixels.astype(numpy.uint8))
            sheet.paste(picture, (10 + column * (size + 10), top + text))
    sheet.save(path)


def report(results, sheet, size):
    """Prints a summary, and returns whether all is well."""
    failed = [r for r in results if r.error]
    clean = [r for r in results if not r.error and not r.skipped]
    compared = sorted((r for r in clean if r.is_comparable), key=lambda r: -r.difference)
    names = Counter(name for r in results for name in r.skipped)
    mean = sum(r.difference for r in compared) / max(1, len(compared))
    for r in failed:
        print(f"FAILED {r.name}: {r.error}")
    print(f"files: {len(results)}, failed: {len(failed)}")
    print(f"nothing skipped: {len(clean)} ({100 * len(clean) / len(results):.1f} %)")
    for name, files in names.most_common():
        print(f"  skipped {name}: in {files} files")
    print(f"mean difference of the {len(compared)} compared: {mean:.3f}; the worst are")
    for r in compared[:WORST]:
        print(f"  {r.difference:7.3f} {r.name}")
    if sheet and compared:
        write_sheet(sheet, compared[:WORST], size)
    return (not failed and len(clean) >= LEAST_CLEAN * len(results)
            and len(compared) > 0 and mean <= MOST_DIFFERENCE)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM", help="the executable of scene2d")
    parser.add_argument("directory", metavar="DIRECTORY", help="is searched for *.svg")
    parser.add_argument("--count", type=int, default=300, help="files (default 300)")
    parser.add_argument("--size", type=int, default=128, help="pixels on a side (default 128)")
    parser.add_argument("--sheet", metavar="PNG",
                        help="writes the worst pictures beside the reference and the difference")
    parser.add_argument("--cpu", action="store_true", help="render on the CPU")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="files at the same time (default: one per core)")
    options = parser.parse_args()
    if options.count < 1 or options.size < 1:
        parser.error("--count and --size must be at least 1")
    for program in [options.program, "rsvg-convert"]:
        if not shutil.which(program):
            parser.error(f"there is no program {program}")
    files = sample(options.directory, options.count)
    if not files:
        parser.error(f"there are no SVG files in {options.directory}")
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(
            lambda f: examine(f, str(f.relative_to(options.directory)), options), files))
    return 0 if report(results, options.sheet, options.size) else 1


if __name__ == "__main__":
    sys.exit(main())
