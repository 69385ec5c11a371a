// vkprims-bench: measures every primitive on one device.
#include <benchmark/benchmark.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "commands.hpp"
#include "devices.hpp"
#include "harness.hpp"
#include "registry.hpp"
#include "reporters.hpp"
#include "runtime/device_state.hpp"
#include "selftest.hpp"
#include "tune.hpp"
#include "vkprims/version.hpp"

#ifndef VKPRIMS_GIT_REVISION
#define VKPRIMS_GIT_REVISION "unknown"
#endif

namespace {

using namespace vkprims;
using namespace vkprims::bench;

struct Flags {
  ContextInfo context;
  Options options;
  TuneOptions tune;
  bool list_devices = false, list = false, info = false, selftest = false, version = false;
  bool tunes = false, commands = false;
};

constexpr const char* kFooter = R"(
Without --headline, --quick or --all: all rows at 2^10, 2^14, 2^16 ... 2^28 elements, as far as
time and memory allow.
Rows are named primitive/variant/n/warm or .../cold (cache of the device flushed; GPUs only).
  time us   median of one execution, everything that the record call emits, by GPU timestamps
  GB/s      bytes that the operation must at least move (inputs once, outputs once) per time
  of copy   time of a copy that moves as many bytes, measured in turn with the row, per time
  unsteady  the copies of this row were off although it was repeated: measure it again
Flags of Google Benchmark work, too:
  --benchmark_filter=REGEX  --benchmark_out=FILE  --benchmark_out_format=json|console|csv
  --benchmark_format=json|console|csv  --benchmark_repetitions=N  --benchmark_context=KEY=VALUE
Environment: VKPRIMS_DEVICE (as --device), VKPRIMS_MASK (features to do without), VKPRIMS_TUNING (a
file as --tune writes them).
For first_use rows on NVIDIA set __GL_SHADER_DISK_CACHE=0: its driver keeps compiled shaders on
disk.)";

std::string value_of(const std::vector<char*>& arguments, const char* flag, const char* otherwise) {
  for (const char* a : arguments) {
    const std::size_t length = std::strlen(flag);
    if (std::strncmp(a, flag, length) == 0 && a[length] == '=') return a + length + 1;
  }
  return otherwise;
}

int repetitions_of(const std::vector<char*>& arguments) {
  const std::string text = value_of(arguments, "--benchmark_repetitions", "1");
  return std::max(1, std::atoi(text.c_str()));
}

int measure(Session& session, const Flags& flags, std::vector<char*>& google) {
  const std::vector<Entry> entries = select(flags.options, session.is_gpu());
  std::size_t name_width = 24;
  for (const Entry& e : entries) name_width = std::max(name_width, e.name().size());
  if (flags.list) {
    for (const Entry& e : entries) std::printf("%s\n", e.name().c_str());
    return 0;
  }
  if (entries.empty()) {
    std::fprintf(stderr, "vkprims-bench: no row matches; --list prints them\n");
    return 1;
  }
  if (flags.commands) return print_commands(session, entries);
  Context& context = session.context();
  const std::string device = context.properties().deviceName;
  const std::string driver = context.driver();
  const std::string revision = std::string(VKPRIMS_VERSION_STRING) + " " + VKPRIMS_GIT_REVISION;
  benchmark::AddCustomContext("device", device);
  benchmark::AddCustomContext("driver", driver);
  benchmark::AddCustomContext("vkprims", revision);
  benchmark::AddCustomContext(
      "queue", context.device().state()->info.graphics_queue ? "graphics" : "compute");
  benchmark::AddCustomContext("description", describe(context.device()));

  int failures = 0;
  register_entries(entries, session, flags.options, repetitions_of(google), failures);
  TableReporter table(device + ", " + driver + ", vkprims " + revision, name_width);
  PlainJsonReporter json, json_file;
  const std::string format = value_of(google, "--benchmark_format", "console");
  benchmark::BenchmarkReporter* display = nullptr;  // Google Benchmark's own, e.g. for CSV
  if (format == "console") display = &table;
  if (format == "json") display = &json;
  const bool writes_json = !value_of(google, "--benchmark_out", "").empty() &&
                           value_of(google, "--benchmark_out_format", "json") == "json";
  // The filter has already been applied, to names without Google Benchmark's suffixes.
  benchmark::RunSpecifiedBenchmarks(display, writes_json ? &json_file : nullptr, "all");
  if (failures) {
    std::fprintf(stderr, "vkprims-bench: %d rows FAILED\n", failures);
  } else if (flags.options.validate) {
    std::fprintf(stderr, "vkprims-bench: all results were right\n");
  }
  return failures ? 1 : 0;
}

std::string names_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

// The flag that overrides a member of Tuning: --scan-rows.
std::string flag_of(const TuningField& field) {
  std::string flag = std::string("--") + field.name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

int run(const Flags& flags, std::vector<char*>& google) {
  benchmark::AddCustomContext("families", families());  // for tools/plot.py
  if (flags.list_devices) return print_devices(flags.context);
  if (flags.tunes) {
    TuneOptions options = flags.tune;
    options.min_n = flags.options.min_n;
    options.max_n = flags.options.max_n;
    options.version = std::string(VKPRIMS_VERSION_STRING) + " " + VKPRIMS_GIT_REVISION;
    return tune(flags.context, options);
  }
  Session session(flags.context);
  if (flags.info) {
    std::printf("vkprims %s, revision %s\n", VKPRIMS_VERSION_STRING, VKPRIMS_GIT_REVISION);
    print_info(session.context());
    return 0;
  }
  if (flags.selftest) return selftest(session, flags.options.headline) == 0 ? 0 : 1;
  return measure(session, flags, google);
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags;
  CLI::App app{"Measures the primitives of vkprims on one Vulkan device.", "vkprims-bench"};
  app.add_option("--device", flags.context.device, "Index, part of the name, or UUID of the device")
      ->type_name("X");
  app.add_flag("--graphics-queue", flags.context.graphics_queue,
               "Measure on a queue that has graphics, too, as renderers have");
  app.add_flag("--list-devices", flags.list_devices,
               "Print the devices, and why one is not chosen");
  app.add_flag("--list", flags.list, "Print the names of the rows that would run");
  app.add_flag("--info", flags.info, "Print device, driver, memory, timestamps, tuning, revision");
  app.add_flag("--validate", flags.options.validate,
               "Check each result before timing; exit status 1 if one is wrong");
  app.add_flag(
      "--selftest", flags.selftest,
      "Check memory model, driver and every primitive on this device; --headline: fewer rows");
  auto* tunes = app.add_flag("--tune", flags.tunes,
                             "Find the tuning that is fastest on this device, and write it to a "
                             "file; results are checked");
  app.add_option("--tune-seconds", flags.tune.seconds, "At most so long, 300 by default")
      ->type_name("N")
      ->check(CLI::Range(1.0, 86400.0))
      ->needs(tunes);
  app.add_option("--tune-output", flags.tune.output, "Its file, by default tuning-<device>.txt")
      ->type_name("FILE")
      ->needs(tunes);
  app.add_option("--tune-families", flags.tune.families,
                 "Only these, with commas between: " + names_of(tune_families()))
      ->type_name("NAMES")
      ->delimiter(',')
      ->check(CLI::IsMember(tune_families()))
      ->needs(tunes);
  app.add_flag("--commands", flags.commands,
               "Print how long each command of a call takes, and measure nothing else");
  auto* headline =
      app.add_flag("--headline", flags.options.headline,
                   "One row for each primitive, at 2^16, 2^20 and, on a GPU, 2^24, 2^28");
  auto* quick =
      app.add_flag("--quick", flags.options.quick, "Only 2^16, 2^20, 2^24 and, on a GPU, 2^28");
  auto* all = app.add_flag(
      "--all", flags.options.all,
      "Every power of two from 2^10 on, cold rows of all variants, however long it takes");
  quick->excludes(all);
  headline->excludes(quick)->excludes(all);
  app.add_option("--min-n", flags.options.min_n, "Smallest size")->type_name("N");
  app.add_option("--max-n", flags.options.max_n, "Largest size; above 2^28 sizes go on doubling")
      ->type_name("N");
  Tuning& tuning = flags.context.tuning;
  for (const TuningField& field : tuning_fields()) {
    const char* rule = field.rule == TuningRule::power_of_two      ? ", a power of two"
                       : field.rule == TuningRule::multiple_of_128 ? ", a multiple of 128"
                                                                   : "";
    app.add_option(flag_of(field), tuning.*field.member,
                   "Override the tuning table: " + std::to_string(field.low) + " to " +
                       std::to_string(field.high) + rule)
        ->type_name("N");
  }
  app.add_option("--tile-order", tuning.tile_order,
                 "Override the tuning table: 1 by ticket, 2 by workgroup")
      ->type_name("N");
  app.set_version_flag("--version", VKPRIMS_VERSION_STRING " " VKPRIMS_GIT_REVISION);
  app.footer(kFooter);

  // Google Benchmark's flags must not reach CLI11.
  std::vector<char*> own{argv[0]}, google{argv[0]};
  for (int i = 1; i < argc; ++i) {
    (std::strncmp(argv[i], "--benchmark_", 12) == 0 ? google : own).push_back(argv[i]);
  }
  CLI11_PARSE(app, static_cast<int>(own.size()), own.data());
  auto google_count = static_cast<int>(google.size());
  std::vector<char*> unparsed = google;
  unparsed.push_back(nullptr);
  benchmark::Initialize(&google_count, unparsed.data());
  if (benchmark::ReportUnrecognizedArguments(google_count, unparsed.data())) return 1;
  flags.options.filter = benchmark::GetBenchmarkFilter();
  for (const char* argument : google) {
    flags.list = flags.list || std::strncmp(argument, "--benchmark_list_tests", 22) == 0;
  }

  try {
    return run(flags, google);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vkprims-bench: %s\n", error.what());
    return 1;
  }
}
