// Names that may be shown, and names that may not: a chain of operations on strings, all of it on the GPU.
//
//   redact [IN.csv [OUT.csv]]
//
// Reads lines "First Last,public" or "First Last,private"; without a file, ten of its own. Writes a line for each:
// the initial of the last name and the first name, or "X X". The CSV is of the simplest kind: two fields without
// quotes, commas or line breaks in them.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "vkprims/strings.hpp"

using namespace vkprims;

namespace {

constexpr const char* kRows =
    "Ada Lovelace,public\nAlan Turing,private\nGrace Hopper,public\nEdsger Dijkstra,public\n"
    "Barbara Liskov,private\nDonald Knuth,public\nKathleen Booth,public\nJohn Backus,private\n"
    "Zoë Ångström,public\nCher,public\n";

struct Rows {
  std::vector<std::string> names, visibilities;
};

Rows read(std::istream& in) {
  Rows rows;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t comma = line.find(',');
    if (comma == std::string::npos) throw std::runtime_error("not two fields: " + line);
    rows.names.push_back(line.substr(0, comma));
    rows.visibilities.push_back(line.substr(comma + 1));
  }
  return rows;
}

HostStrings redact(const Rows& rows) {
  Context context;
  const StringColumn names = upload_strings(context, rows.names);
  const StringColumn vis = upload_strings(context, rows.visibilities);
  StringColumn redacted_names;
  context.run([&](Recorder& r) {
    auto allowed = strings::contains(r, vis, "public");  // bits
    auto redacted = strings::copy_if_else(r, names, "X X", allowed);
    auto parts = strings::split(r, redacted, {.max_columns = 2});  // whitespace
    auto initial = strings::slice(r, parts[1], {.start = 0, .stop = 1});
    auto result = strings::concatenate(r, {initial, parts[0]}, {.separator = " "});
    redacted_names = std::move(result);
  });
  return download_strings(context, redacted_names);
}

// Without a file the result is known.
bool is_right(const HostStrings& rows) {
  const HostStrings expected{"L Ada",    "X X",        "H Grace", "D Edsger", "X X",
                             "K Donald", "B Kathleen", "X X",     "Å Zoë",    std::nullopt};
  return rows == expected;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Rows rows;
    if (argc > 1) {
      std::ifstream file(argv[1]);
      if (!file) throw std::runtime_error(std::string("cannot read ") + argv[1]);
      rows = read(file);
    } else {
      std::istringstream own(kRows);
      rows = read(own);
    }
    const HostStrings result = redact(rows);
    std::ofstream file;
    if (argc > 2) file.open(argv[2]);
    for (const auto& row : result) {
      const std::string line = row.value_or("");  // a name without a last one is null
      if (argc > 2) {
        file << line << '\n';
      } else {
        std::printf("%s\n", line.c_str());
      }
    }
    if (argc > 2 && !file.flush()) throw std::runtime_error(std::string("cannot write ") + argv[2]);
    if (argc == 1 && !is_right(result)) throw std::runtime_error("wrong result");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "redact: %s\n", error.what());
    return 1;
  }
  return 0;
}
