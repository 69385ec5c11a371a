// The file of a Context's tuning: who names it, what wins, and what is wrong with it.
#include <fstream>

#include "context_support.hpp"

namespace vkprims::test {
namespace {

// A file in a directory that goes with it.
struct File {
  explicit File(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  TemporaryDirectory directory;
  std::string path = (directory.path / "tuning.txt").string();
};

Tuning tuning_of(const ContextInfo& info) { return Clean(info).device().tuning(); }

}  // namespace

TEST_CASE("context: VKPRIMS_TUNING names a file with the tuning, and members of ContextInfo win") {
  const Environment none("VKPRIMS_TUNING", "");
  const Tuning usual = tuning_of(plain());
  const std::uint32_t rows = usual.scan_rows == 3 ? 4 : 3;
  const File file("# for a test\nscan_rows = " + std::to_string(rows) +
                  "\nspin_limit = 99\ntile_order = workgroup\n");
  const Environment variable("VKPRIMS_TUNING", file.path);
  Tuning expected = usual;
  expected.scan_rows = rows;
  expected.spin_limit = 99;
  expected.tile_order = TileOrder::workgroup;
  CHECK(tuning_of(plain()).text() == expected.text());

  ContextInfo info = plain();
  info.tuning.spin_limit = 55;
  info.tuning.tile_order = TileOrder::ticket;
  expected.spin_limit = 55;
  expected.tile_order = TileOrder::ticket;
  CHECK(tuning_of(info).text() == expected.text());
}

TEST_CASE("context: ContextInfo::tuning_file comes before VKPRIMS_TUNING") {
  const File file("spin_limit = 98\n");
  const Environment variable("VKPRIMS_TUNING", "/no such file");
  ContextInfo info = plain();
  info.tuning_file = file.path;
  CHECK(tuning_of(info).spin_limit == 98);
  info.tuning_file = "/no such file either";
  expect(Status::invalid_argument, {"tuning_file '/no such file either': cannot be opened"},
         [&] { Context c(info); });
}

TEST_CASE("context: an error in a tuning file names the file") {
  const auto refused = [](const std::string& path, std::initializer_list<std::string> words) {
    const Environment variable("VKPRIMS_TUNING", path);
    expect(Status::invalid_argument, {"VKPRIMS_TUNING '" + path + "': "},
           [] { Context c(plain()); });
    expect(Status::invalid_argument, words, [] { Context c(plain()); });
  };
  refused("/no such file", {"cannot be opened"});
  const TemporaryDirectory directory;
  refused(directory.path.string(), {"cannot be"});
  const File wrong("\nscan_rows = 17\n");
  refused(wrong.path, {"line 2: scan_rows is 17, must be 1 … 16"});
  const File large(std::string(70'000, '\n'));
  refused(large.path, {"is larger than 64 KiB"});
  const File other("scan_row = 7\n");
  refused(other.path, {"line 1: 'scan_row' is no member"});
}

TEST_CASE("context: VKPRIMS_TUNING is for Contexts with a device of their own") {
  const Clean context;
  const Environment variable("VKPRIMS_TUNING", "/no such file");
  Device embedded;
  CHECK(Device::create({.instance = context.instance(),
                        .physical_device = context.physical_device(),
                        .device = context.vk_device(),
                        .get_instance_proc_addr = context.get_instance_proc_addr(),
                        .enabled = context.device().features()},
                       embedded));
  const Context adopted(Adopt{.instance = context.instance(),
                              .physical_device = context.physical_device(),
                              .device = context.vk_device(),
                              .queue = context.queue(),
                              .queue_family = context.queue_family(),
                              .get_instance_proc_addr = context.get_instance_proc_addr(),
                              .enabled = context.device().features()});
  CHECK(adopted.device().tuning().spin_limit > 0);
}

}  // namespace vkprims::test
