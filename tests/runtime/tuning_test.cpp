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
  for (const std::uint32_t largest : {128u, 256u, 512u, 1024u}) {
    Tuning tuning;
    REQUIRE(choose_tuning(kAny, largest, {}, tuning));
    for (const TuningField& field : tuning_fields()) {
      if (field.rule != TuningRule::any) CHECK(tuning.*field.member <= largest);
    }
  }
}

}  // namespace vkprims::test
