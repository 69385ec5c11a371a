#!/usr/bin/env python3
"""Writes src/strings/case_mappings.hpp, the upper and lower case of code points up to 0xFFFF, from
the Unicode Character Database (Debian: the package unicode-data). What SpecialCasing.txt says
without a condition holds there.

  tools/make_case_mappings.py [--ucd /usr/share/unicode] > src/strings/case_mappings.hpp
"""
import argparse
import re
from pathlib import Path

LAST = 0xFFFF


def fields(path):
    """The fields of each line of a file, without comments."""
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line:
            yield [field.strip() for field in line.split(";")]


def code_points(text):
    return [int(x, 16) for x in text.split()]


def mappings(ucd):
    """Two dictionaries, code point -> code points: upper and lower case."""
    upper, lower = {}, {}
    for f in fields(ucd / "UnicodeData.txt"):
        for target, field in ((upper, f[12]), (lower, f[13])):
            if field:
                target[int(f[0], 16)] = code_points(field)
    for f in fields(ucd / "SpecialCasing.txt"):
        if f[4]:
            continue  # for some languages or neighbours only
        for target, field in ((upper, f[3]), (lower, f[1])):
            target[int(f[0], 16)] = code_points(field)
    for target in (upper, lower):
        for x in [x for x in target if x > LAST or target[x] == [x]]:
            del target[x]
    return upper, lower


def check(mapping):
    """What the kernel and its table rely on."""
    size = lambda points: len("".join(map(chr, points)).encode())
    for x, to in mapping.items():
        assert 0 not in to and max(to) <= LAST and len(to) <= 3
        assert not any(0xE000 <= y < 0xF900 for y in to), "private use"
        assert (x < 0x80) == (max(to) < 0x80 and x < 0x80), "ASCII stays ASCII"
        assert size(to) <= 3 * size([x]) and size(to) <= 6
        assert x >= 0x80 or abs(x - to[0]) == 0x20, "letters of ASCII"


def ranges(mapping):
    """Runs of code points, each or every second one, whose distance to their target is the same."""
    runs = []
    for x in sorted(x for x in mapping if len(mapping[x]) == 1):
        delta = mapping[x][0] - x
        if runs:
            run = runs[-1]
            step = x - run["last"]
            if run["delta"] == delta and step in (1, 2) and run["step"] in (0, step):
                run.update(last=x, step=step)
                continue
        runs.append(dict(first=x, last=x, step=0, delta=delta))
    return [f"{{0x{r['first']:04x}, 0x{r['last']:04x}, {max(r['step'], 1)}, {r['delta']}}}"
            for r in runs]


def expansions(mapping):
    hexes = lambda points: ", ".join(f"0x{x:04x}" for x in points)
    return [f"{{0x{x:04x}, {{{hexes(to)}}}}}" for x, to in sorted(mapping.items()) if len(to) > 1]


def print_array(declaration, items):
    print(f"inline constexpr {declaration}[] = {{")
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > 100:
            print(line)
            line = "   "
        line += f" {item},"
    print(f"{line}\n}};")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ucd", type=Path, default=Path("/usr/share/unicode"),
                        help="where UnicodeData.txt is")
    ucd = parser.parse_args().ucd
    upper, lower = mappings(ucd)
    check(upper)
    check(lower)
    first_line = (ucd / "SpecialCasing.txt").read_text(encoding="utf-8").split("\n")[0]
    version = re.search(r"\d+\.\d+\.\d+", first_line).group()
    print(f"""// Upper and lower case of code points up to 0xFFFF, of Unicode {version}.
// Made by tools/make_case_mappings.py.
#pragma once

#include <cstdint>

namespace vkprims::strings {{

/// first, first + step … last become the code point `delta` further on.
struct CaseRange {{
  std::uint16_t first, last, step;
  std::int32_t delta;
}};

/// A code point that becomes two or three; the third is 0 if there is none.
struct CaseExpansion {{
  std::uint16_t from;
  std::uint16_t to[3];
}};

// clang-format off""")
    for name, mapping in (("Upper", upper), ("Lower", lower)):
        print_array(f"CaseRange k{name}Ranges", ranges(mapping))
        print_array(f"CaseExpansion k{name}Expansions", expansions(mapping))
    print("// clang-format on\n\n}  // namespace vkprims::strings")


if __name__ == "__main__":
    main()
