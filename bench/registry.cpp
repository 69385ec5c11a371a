#include "registry.hpp"

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace vkprims::bench {
namespace {

std::vector<Row>& rows() {
  static std::vector<Row> list;  // in a function: static objects of other files use it
  return list;
}

std::string primitive_of(const std::string& name) { return name.substr(0, name.find('/')); }

std::vector<std::uint64_t> suite_sizes(const Options& options, bool is_gpu) {
  std::vector<std::uint32_t> exponents{10, 14, 16, 18, 20, 22, 24, 26, 28};
  if (options.all) {
    exponents.clear();
    for (std::uint32_t e = 10; e <= 28; ++e) exponents.push_back(e);
  } else if (options.quick || options.headline) {
    exponents = {16, 20};
    if (options.quick || is_gpu) exponents.push_back(24);
    if (is_gpu) exponents.push_back(28);
  }
  std::vector<std::uint64_t> sizes;
  for (const std::uint32_t e : exponents) sizes.push_back(std::uint64_t{1} << e);
  // A larger --max-n continues with doubled sizes.
  while (2 * sizes.back() <= options.max_n) sizes.push_back(2 * sizes.back());
  std::erase_if(sizes, [&](std::uint64_t n) {
    return n < options.min_n || (options.max_n && n > options.max_n);
  });
  return sizes;
}

void add(std::vector<Row>& added) {
  for (Row& row : added) rows().push_back(std::move(row));
}

}  // namespace

Row headline(const char* family, Row row) {
  row.headline = true;
  row.family = family;
  return row;
}

Register::Register(std::vector<Row> added) { add(added); }

RegisterOther::RegisterOther(std::vector<Row> added) {
  for (Row& row : added) row.family = "other";
  add(added);
}

const std::vector<Row>& all_rows() {
  // Files register in any order; the order within a file is kept.
  static const bool sorted = [] {
    std::stable_sort(rows().begin(), rows().end(), [](const Row& a, const Row& b) {
      return primitive_of(a.name) < primitive_of(b.name);
    });
    return true;
  }();
  (void)sorted;
  return rows();
}

std::string families() {
  std::map<std::string, std::string> families;
  for (const Row& row : all_rows()) {
    std::string& family = families[primitive_of(row.name)];
    if (!row.family.empty()) family = row.family;
  }
  std::string text;
  for (const auto& [primitive, family] : families) {
    if (family.empty()) throw std::logic_error("no row of " + primitive + " is its headline()");
    text += (text.empty() ? "" : " ") + primitive + "=" + family;
  }
  return text;
}

std::string Entry::name() const {
  return row->name + "/" + std::to_string(n) + (row->host ? "" : cold ? "/cold" : "/warm");
}

std::vector<Entry> select(const Options& options, bool is_gpu) {
  const bool negate = !options.filter.empty() && options.filter[0] == '-';
  const std::string pattern = negate ? options.filter.substr(1) : options.filter;
  const std::regex filter(pattern == "all" ? "" : pattern, std::regex::extended);
  const std::vector<std::uint64_t> suite = suite_sizes(options, is_gpu);

  std::vector<Entry> entries;
  const std::uint64_t largest = suite.empty() ? 0 : suite.back();
  for (const Row& row : all_rows()) {
    if (options.headline && !row.headline) continue;
    for (const std::uint64_t n : row.sizes.empty() ? suite : row.sizes) {
      if (options.headline && n > largest) continue;
      for (const bool cold : {false, true}) {
        // A CPU device has no cache of its own to flush.
        const bool has_cold = is_gpu && !row.host && !options.headline && (row.main || options.all);
        if (cold && !has_cold) continue;
        Entry entry{&row, n, cold};
        if (std::regex_search(entry.name(), filter) != negate) entries.push_back(entry);
      }
    }
  }
  return entries;
}

}  // namespace vkprims::bench
