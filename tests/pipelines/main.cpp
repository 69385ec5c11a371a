// vkprims-pipelines: compiles the library's pipelines on a device and says what they cost there.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "report.hpp"
#include "vkprims/context.hpp"

int main(int argc, char** argv) {
  using namespace vkprims::pipelines;
  Options options;
  ReportOptions printed;
  bool list = false;
  CLI::App app(
      "Compiles the pipelines of vkprims on one Vulkan device and prints what the driver tells of "
      "them.\nExit status 1: one does not compile, spills registers or uses scratch memory, or a "
      "module of the library\nhas none. 2: nothing was compiled.");
  app.add_option("--device", options.device,
                 "index, part of the name, or UUID; else $VKPRIMS_DEVICE");
  const std::map<std::string, Options::Set> sets{{"modules", Options::Set::modules},
                                                 {"values", Options::Set::values},
                                                 {"all", Options::Set::all}};
  app.add_option("--set", options.set,
                 "modules: each module once (the default); values: each value of each "
                 "specialization constant of each module; all: all combinations (hours)")
      ->transform(CLI::CheckedTransformer(sets));
  app.add_flag("--each-size", options.each_size,
               "with each subgroup size that can be required, not the driver's choice");
  app.add_option("--only", options.only,
                 "pattern of primitives or modules, such as 'scan*'; may be repeated");
  app.add_option("-j,--jobs", options.jobs, "processes that compile; of several the last counts")
      ->check(CLI::Range(1, 256))
      ->take_last();
  app.add_option("--waves", printed.waves,
                 "list modules of which fewer waves are at once on a SIMD unit");
  app.add_flag("--verbose", printed.verbose, "a line for each pipeline");
  app.add_flag("--list", list, "compile nothing: only whether all modules are reached");
  CLI11_PARSE(app, argc, argv);
  if (list) options.jobs = 0;
  try {
    return report(compile_all(options), printed) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vkprims-pipelines: %s\n", error.what());
    return 2;
  }
}
