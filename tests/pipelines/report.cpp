#include "report.hpp"

#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>

namespace vkprims::pipelines {
namespace {

std::string number(std::int64_t value) { return value < 0 ? "-" : std::to_string(value); }

// Says what is wrong with a row, or nothing.
std::string fault_of(const Row& row) {
  if (row.signal == SIGALRM) return "did not finish in time";
  if (row.signal) return std::string("the driver died: ") + strsignal(row.signal);
  if (row.result != VK_SUCCESS) return "VkResult " + std::to_string(row.result);
  std::string fault;
  if (row.figures.spills > 0) fault += ", spills " + number(row.figures.spills) + " registers";
  if (row.figures.scalar_spills > 0) {
    fault += ", spills " + number(row.figures.scalar_spills) + " scalar registers";
  }
  if (row.figures.scratch > 0) fault += ", scratch memory " + number(row.figures.scratch);
  return fault.empty() ? fault : fault.substr(2);
}

std::string name_of(const Row& row) {
  std::string name = row.request.spirv->name;
  name += " (" + row.request.constants_text() + ")";
  if (row.request.subgroup_size) {
    name += " subgroups of " + std::to_string(row.request.subgroup_size);
  }
  return name;
}

constexpr char kHeadings[] = "       ms   code  regs scalar spills scratch shared waves  size";

void print_figures(double milliseconds, const Figures& f) {
  const std::string spills = number(std::max(f.spills, f.spills + f.scalar_spills));
  std::printf("%9.1f %6s %5s %6s %6s %7s %6s %5s %5s", milliseconds, number(f.code).c_str(),
              number(f.registers).c_str(), number(f.scalar_registers).c_str(), spills.c_str(),
              number(f.scratch).c_str(), number(f.shared).c_str(), number(f.waves).c_str(),
              number(f.subgroup_size).c_str());
}

void print_rows(const char* title, const std::vector<const Row*>& rows) {
  std::printf("\n%s\n%s  primitive, module (constants)\n", title, kHeadings);
  for (const Row* row : rows) {
    print_figures(row->milliseconds, row->figures);
    std::printf("  %s, %s\n", row->request.primitive, name_of(*row).c_str());
  }
}

void print_primitives(const Sheet& sheet) {
  struct Sum {
    int pipelines = 0;
    double milliseconds = 0;
    Figures figures;
  };
  std::vector<const char*> order;
  std::map<std::string, Sum> sums;
  for (const Row& row : sheet.rows) {
    Sum& sum = sums[row.request.primitive];
    if (sum.pipelines++ == 0) order.push_back(row.request.primitive);
    sum.milliseconds += row.milliseconds;
    sum.figures.join(row.figures);
  }
  std::printf("\nby primitive: time in all, the most of everything else, the fewest waves\n");
  std::printf("%s  pipelines, first asked for by\n", kHeadings);
  for (const char* primitive : order) {
    const Sum& sum = sums[primitive];
    print_figures(sum.milliseconds, sum.figures);
    std::printf("  %5d  %s\n", sum.pipelines, primitive);
  }
}

void print_slowest(std::vector<const Row*> rows) {
  std::sort(rows.begin(), rows.end(),
            [](const Row* a, const Row* b) { return a->milliseconds > b->milliseconds; });
  rows.resize(std::min<std::size_t>(rows.size(), 10));
  print_rows("the slowest", rows);
}

// Prints modules instead of pipelines, as the pipelines of one module are alike.
void print_waves(const Sheet& sheet, std::int64_t waves) {
  std::map<std::int64_t, int> counts;
  std::map<const char*, const Row*> fewest;
  for (const Row& row : sheet.rows) {
    if (row.figures.waves < 0) continue;
    ++counts[row.figures.waves];
    if (row.figures.waves >= waves) continue;
    const Row*& kept = fewest[row.request.spirv->name];
    if (!kept || row.figures.waves < kept->figures.waves) kept = &row;
  }
  if (counts.empty()) return;
  std::printf("\npipelines by waves:");
  for (const auto& [of_each, count] : counts) std::printf("  %" PRId64 ": %d", of_each, count);
  std::printf("\n");
  std::vector<const Row*> rows;
  for (const auto& [name, row] : fewest) rows.push_back(row);
  std::sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) {
    if (a->figures.waves != b->figures.waves) return a->figures.waves < b->figures.waves;
    return std::strcmp(a->request.spirv->name, b->request.spirv->name) < 0;
  });
  if (rows.empty()) return;
  const std::string title =
      "modules with fewer than " + number(waves) + " waves, by the pipeline that has fewest";
  print_rows(title.c_str(), rows);
}

}  // namespace

bool report(const Sheet& sheet, const ReportOptions& options) {
  std::vector<const Row*> rows, bad;
  for (const Row& row : sheet.rows) {
    rows.push_back(&row);
    if (!fault_of(row).empty()) bad.push_back(&row);
  }
  if (options.verbose) print_rows("all pipelines", rows);
  if (sheet.compiled) {
    print_primitives(sheet);
    print_slowest(rows);
    print_waves(sheet, options.waves);
    std::printf("\n");
  }
  for (const Row& row : sheet.rows) {
    if (!row.statistics_signal || row.signal) continue;
    std::printf("compiles, but the driver dies when it is asked for statistics (%s): %s\n",
                strsignal(row.statistics_signal), name_of(row).c_str());
  }
  for (const Row* row : bad) {
    std::printf("FAILED %s: %s\n", name_of(*row).c_str(), fault_of(*row).c_str());
  }
  for (const Spirv* module : sheet.unreached) {
    std::printf("%s %s: no descriptor asks for it\n", sheet.complete ? "FAILED" : "not reached",
                module->name);
  }
  if (sheet.compiled && !sheet.has_statistics) {
    std::printf("The driver has no statistics of pipelines.\n");
  }
  double seconds = 0;
  for (const Row& row : sheet.rows) seconds += row.milliseconds / 1000;
  std::printf("%s: %zu of %zu pipelines", sheet.device.c_str(), sheet.rows.size(), sheet.asked_for);
  if (sheet.compiled) std::printf(", %.1f s of compilation, %zu failed", seconds, bad.size());
  std::printf("\n");
  return bad.empty() && (!sheet.complete || sheet.unreached.empty());
}

}  // namespace vkprims::pipelines
