// Shows names that may be shown and hides the others, in five ways.
//
//   redact [--form a|b|c|d|e] [IN.csv [OUT.csv]]
//
//   a   a chain of operations of the library, all of it on the GPU; the default for IN.csv
//   b   a kernel that takes memory for each row from a heap; a gather; a kernel that gives it back
//   c   a kernel that writes each row into a slot of its own; a gather
//   d   a kernel of the program's own in two passes: sizes, then bytes
//   e   the same in one pass
//
// Reads lines "First Last,public" or "First Last,private". Without a file it takes ten lines of its
// own, in all ways unless one is asked for. Writes a line for each: the initial of the last name
// and the first name, or "X X". The CSV is of the simplest kind: two fields without quotes, commas
// or line breaks in them.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "forms.hpp"

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

HostStrings redact_rows(Context& context, const Rows& rows, char form) {
  const StringColumn names = upload_strings(context, rows.names);
  const StringColumn visibilities = upload_strings(context, rows.visibilities);
  const redact::Input in{names, visibilities};
  const redact::Forms forms(context);
  const bool has_heap = form == 'b';
  const redact::Heap heap(context, has_heap
                                       ? redact::Heap::enough_for(names.rows(), in.byte_bound())
                                       : redact::Heap::Blocks{});
  StringColumn result;
  context.run([&](Recorder& r) {
    switch (form) {
      case 'a':
        result = redact::by_chain(r, in);
        break;
      case 'b':
        result = forms.by_heap(r, in, heap);
        break;
      case 'c':
        result = forms.by_slots(r, in);
        break;
      case 'd':
        result = forms.by_rope(r, in, Schedule::multi_pass);
        break;
      default:
        result = forms.by_rope(r, in, Schedule::look_back);
    }
  });
  if (const auto failed = heap.use(context).failed; failed != 0) {
    throw std::runtime_error("the heap had no memory for " + std::to_string(failed) + " rows");
  }
  return download_strings(context, result);
}

// The result for the program's own rows is known. Form a needs two words; to the others a single
// word is both.
bool is_right(const HostStrings& rows, char form) {
  HostStrings expected{"L Ada",    "X X",        "H Grace", "D Edsger", "X X",
                       "K Donald", "B Kathleen", "X X",     "Å Zoë",    "C Cher"};
  if (form == 'a') expected.back() = std::nullopt;
  return rows == expected;
}

void write(std::ostream& out, const HostStrings& rows) {
  for (const auto& row : rows) out << row.value_or("") << '\n';  // null: an empty line
}

std::string contents(const HostStrings& rows) {
  std::ostringstream out;
  write(out, rows);
  return out.str();
}

void run(const std::string& forms, const char* in, const char* out) {
  Context context;
  Rows rows;
  if (in) {
    std::ifstream file(in);
    if (!file) throw std::runtime_error(std::string("cannot read ") + in);
    rows = read(file);
  } else {
    std::istringstream own(kRows);
    rows = read(own);
  }
  for (const char form : forms) {
    const HostStrings result = redact_rows(context, rows, form);
    if (out) {
      std::ofstream file(out);
      write(file, result);
      if (!file.flush()) throw std::runtime_error(std::string("cannot write ") + out);
    } else if (form == forms.front()) {
      std::fputs(contents(result).c_str(), stdout);
    }
    if (!in && !is_right(result, form)) {
      throw std::runtime_error(std::string("wrong result by form ") + form);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string forms = argc > 1 ? "a" : "abcde";
  int next = 1;
  if (argc > 1 && std::strcmp(argv[1], "--form") == 0) {
    forms = argc > 2 ? argv[2] : "";
    next = 3;
    if (forms.size() != 1 || std::strchr("abcde", forms[0]) == nullptr) {
      std::fprintf(stderr, "redact: --form is one of a, b, c, d, e\n");
      return 2;
    }
  }
  try {
    run(forms, argc > next ? argv[next] : nullptr, argc > next + 1 ? argv[next + 1] : nullptr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "redact: %s\n", error.what());
    return 1;
  }
  return 0;
}
