// The table of the members of Tuning: ranges, rules, and what the header says of them.
#include "vkprims/tuning.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "runtime/tuning.hpp"
#include "sources.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// As the header writes a limit: 1024, or 2^24.
std::string limit(std::uint32_t value) {
  if (value <= 65536) return std::to_string(value);
  int exponent = 0;
  while (value >> exponent > 1) ++exponent;
  return "2^" + std::to_string(exponent);
}

// The comment on a member: behind it, or in the lines before.
std::string comment_on(const std::string& header, const std::string& member) {
  const std::size_t at = header.find(" " + member + " = 0;");
  if (at == std::string::npos) return {};
  const std::size_t line = header.rfind('\n', at) + 1;
  const std::string behind = header.substr(at, header.find('\n', at) - at);
  if (behind.find("///<") != std::string::npos) return behind;
  std::size_t begin = line;
  for (;;) {
    const std::size_t before = header.rfind('\n', begin - 2) + 1;
    if (header.compare(before, 5, "  ///") != 0) break;
    begin = before;
  }
  return header.substr(begin, line - begin);
}

constexpr TuningKey kAny{.vendor = 0x1234, .driver = 0, .subgroup_size = 32};
// One for each row of the table.
constexpr TuningKey kKeys[] = {{0x10de, VK_DRIVER_ID_NVIDIA_PROPRIETARY, 32},
                               {0x10005, VK_DRIVER_ID_MESA_LLVMPIPE, 8},
                               {0x1002, VK_DRIVER_ID_MESA_RADV, 64},
                               {0x1002, VK_DRIVER_ID_AMD_PROPRIETARY, 32},
                               {0x8086, VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA, 32},
                               kAny};

}  // namespace

TEST_CASE("tuning: every member of 32 bits has a field, and the header says its range") {
  CHECK(sizeof(Tuning) == 4 * (tuning_fields().size() + 1));
  const std::string header =
      text_of(std::filesystem::path(kSourceDirectory) / "include/vkprims/tuning.hpp");
  if (header.empty()) return;  // a test program may run on a machine without the sources
  for (const TuningField& field : tuning_fields()) {
    const std::string name = field.name;
    CAPTURE(name);
    const std::string comment = comment_on(header, field.name);
    const bool as_workgroup = field.rule == TuningRule::power_of_two && field.low == 128 &&
                              comment.find("he same as workgroup_size") != std::string::npos;
    const bool as_sort = field.rule == TuningRule::multiple_of_128 &&
                         comment.find("the same for longer keys") != std::string::npos;
    const std::string range = limit(field.low) + " … " + limit(field.high);
    CHECK((as_workgroup || as_sort || comment.find(range) != std::string::npos));
  }
}

TEST_CASE("tuning: values outside a member's range or against its rule are refused by name") {
  for (const TuningField& field : tuning_fields()) {
    CAPTURE(field.name);
    const auto choose = [&](std::uint32_t value) {
      Tuning wanted, tuning;
      wanted.*field.member = value;
      const Status status = choose_tuning(kAny, 1024, wanted, tuning);
      if (status) CHECK(tuning.*field.member == value);
      return status ? std::string() : std::string(status.message());
    };
    const std::string name = std::string("tuning.") + field.name + " is ";
    if (field.low) CHECK(choose(field.low) == "");
    CHECK(choose(field.high) == "");
    CHECK(choose(field.high + 1).find(name) != std::string::npos);
    if (field.low > 1) CHECK(choose(field.low - 1).find(name) != std::string::npos);
    if (field.rule == TuningRule::power_of_two) {
      CHECK(choose(384).find("must be a power of two") != std::string::npos);
    }
    if (field.rule == TuningRule::multiple_of_128) {
      CHECK(choose(200).find("must be a multiple of 128") != std::string::npos);
    }
  }
}

TEST_CASE("tuning: workgroups of the table fit the device") {
  for (const TuningKey& key : kKeys) {
    CAPTURE(key.vendor);
    for (const std::uint32_t largest : {128u, 256u, 512u, 1024u}) {
      Tuning tuning;
      REQUIRE(choose_tuning(key, largest, {}, tuning));
      for (const TuningField& field : tuning_fields()) {
        if (field.rule != TuningRule::any) CHECK(tuning.*field.member <= largest);
        CHECK((tuning.*field.member > 0 || field.member == &Tuning::lookback_pause));
      }
    }
  }
}

TEST_CASE("tuning: AMD and Intel have rows, with fewer rows in flight in tiles of the same size") {
  const auto row = [](std::uint32_t vendor, std::uint32_t subgroup_size) {
    Tuning tuning;
    CHECK(choose_tuning({vendor, VK_DRIVER_ID_MESA_RADV, subgroup_size}, 1024, {}, tuning));
    return tuning;
  };
  const Tuning unknown = row(0x1234, 64);
  const auto tile = [](const Tuning& t) { return t.scan_workgroup_size * t.scan_rows; };
  for (const Tuning& t : {row(0x1002, 64), row(0x8086, 8), row(0x8086, 16), row(0x8086, 32)}) {
    CHECK(t.scan_rows < unknown.scan_rows);
    CHECK(t.csr_rows < unknown.csr_rows);
    CHECK(t.sort_rows <= unknown.sort_rows);
    CHECK(tile(t) * t.scan_batches == tile(unknown) * unknown.scan_batches);
    CHECK(t.scan_workgroup_size * t.segment_rows * t.segment_batches ==
          unknown.scan_workgroup_size * unknown.segment_rows * unknown.segment_batches);
    CHECK(t.scan_workgroup_size * t.run_rows * t.run_batches ==
          unknown.scan_workgroup_size * unknown.run_rows * unknown.run_batches);
    CHECK(t.scan_workgroup_size * t.compact_rows * t.compact_batches ==
          unknown.scan_workgroup_size * unknown.compact_rows * unknown.compact_batches);
  }
  const Tuning narrow = row(0x1002, 32);
  CHECK(narrow.scan_rows == unknown.scan_rows);
  CHECK(narrow.sort_rows <= unknown.sort_rows);
}

}  // namespace vkprims::test
