// The text form of a Tuning: what is read, what is written, and what is refused.
#include <sstream>
#include <string>

#include "support/support.hpp"
#include "vkprims/tuning.hpp"

namespace vkprims::test {
namespace {

// The message of the error, or "".
std::string problem(const std::string& text) {
  Tuning tuning{.scan_rows = 5};
  const Status status = Tuning::load(text, tuning);
  if (status) return "";
  CHECK(status == Status::invalid_argument);
  CHECK(tuning.scan_rows == 5);  // unchanged
  return status.message();
}

bool says(const std::string& text, const std::string& words) {
  const std::string message = problem(text);
  CAPTURE(message);
  CHECK(message.find("Tuning::load: ") == 0);
  return message.find(words) != std::string::npos;
}

// An allowed value of a member, other for each.
std::uint32_t value_of(const TuningField& field, std::uint32_t number) {
  if (field.rule == TuningRule::power_of_two) return number % 2 ? 256 : 512;
  if (field.rule == TuningRule::multiple_of_128) return number % 2 ? 384 : 640;
  const std::uint32_t least = std::max(field.low, 1u);
  return least + number % (field.high - least + 1);
}

}  // namespace

TEST_CASE("tuning text: every member is read and written under its own name") {
  Tuning tuning;
  std::ostringstream expected;
  std::uint32_t number = 0;
  for (const TuningField& field : tuning_fields()) {
    const std::uint32_t value = value_of(field, ++number);
    expected << field.name << " = " << value << '\n';
    Tuning one;
    REQUIRE(Tuning::load(std::string(field.name) + "=" + std::to_string(value), one));
    for (const TuningField& other : tuning_fields()) {
      CHECK(one.*other.member == (other.member == field.member ? value : 0));
    }
    CHECK(one.tile_order == TileOrder::from_table);
    tuning.*field.member = value;
  }
  CHECK(tuning.text() == expected.str());
  for (const TileOrder order : {TileOrder::ticket, TileOrder::workgroup}) {
    tuning.tile_order = order;
    const std::string line =
        order == TileOrder::ticket ? "tile_order = ticket\n" : "tile_order = workgroup\n";
    CHECK(tuning.text() == expected.str() + line);
    Tuning again{.sort_portion = 7};
    REQUIRE(Tuning::load(tuning.text(), again));
    for (const TuningField& field : tuning_fields()) {
      CHECK(again.*field.member == tuning.*field.member);
    }
    CHECK(again.tile_order == order);
  }
}

TEST_CASE("tuning text: blanks, comments, empty lines and any ends of lines do not matter") {
  Tuning tuning;
  REQUIRE(
      Tuning::load("# a row\r\n\r\n\tscan_rows\t=  7  # seven = 7\r\n#\n\n   key_rows=3\n"
                   "tile_order = workgroup",
                   tuning));
  CHECK(tuning.text() == "scan_rows = 7\nkey_rows = 3\ntile_order = workgroup\n");
  for (const char* empty : {"", "\n", "#", "  \n\t\n", "# scan_rows = 7"}) {
    Tuning none{.scan_rows = 5};
    REQUIRE(Tuning::load(empty, none));
    CHECK(none.text() == "");
  }
  Tuning limits;
  REQUIRE(Tuning::load("scan_rows = 16\nspin_limit = 1\nlookback_pause = 0", limits));
  CHECK(limits.text() == "scan_rows = 16\nspin_limit = 1\n");
}

TEST_CASE("tuning text: an error has the line, the name, the value and what is allowed") {
  CHECK(says("scan_row = 7", "line 1: 'scan_row' is no member of Tuning"));
  CHECK(says("\n# x\nScan_rows = 7", "line 3: 'Scan_rows' is no member of Tuning"));
  CHECK(says("= 7", "line 1: '' is no member of Tuning"));
  CHECK(says("scan_rows 7", "line 1: 'scan_rows 7' is no line 'name = value'"));
  CHECK(says("key_rows = 2\nscan_rows", "line 2: 'scan_rows' is no line 'name = value'"));
  CHECK(says("scan_rows = 17", "line 1: scan_rows is 17, must be 1 … 16"));
  CHECK(says("scan_rows = 0", "line 1: scan_rows is 0, must be 1 … 16"));
  CHECK(says("workgroup_size = 2048", "line 1: workgroup_size is 2048, must be 128 … 1024"));
  CHECK(says("workgroup_size = 384", "line 1: workgroup_size is 384, must be a power of two"));
  CHECK(says("sort_workgroup_size = 200", "sort_workgroup_size is 200, must be a multiple of 128"));
  for (const std::string wrong : {"", "x", "-1", "+1", "1.5", "0x4", "4 4", "4,", "4294967296",
                                  "99999999999999999999", "=4"}) {
    CAPTURE(wrong);
    CHECK(says("scan_rows = " + wrong, "line 1: scan_rows is '" + wrong + "', must be a number"));
  }
  CHECK(says("scan_rows = x", "must be a number 1 … 16"));
  CHECK(says("tile_order = 1", "line 1: tile_order is '1', must be ticket or workgroup"));
  CHECK(says("tile_order =", "line 1: tile_order is '', must be ticket or workgroup"));
  CHECK(says("scan_rows = 7\nkey_rows = 2\nscan_rows = 7",
             "line 3: scan_rows is set a second time, after line 1"));
  CHECK(
      says("tile_order = ticket\ntile_order = ticket", "line 2: tile_order is set a second time"));
  // A good member before a bad line changes nothing, as problem() checks.
  CHECK(says("scan_rows = 7\nkey_rows = 99", "line 2: key_rows is 99, must be 1 … 8"));
}

TEST_CASE("tuning text: of long and of strange text a message shows 40 bytes") {
  const std::string many(100'000, 'x');
  CHECK(says(many, "'" + std::string(40, 'x') + "…' is no line"));
  CHECK(says("scan_rows = " + many, "scan_rows is '" + std::string(40, 'x') + "…', must be"));
  CHECK(says(many + " = 1", "'" + std::string(40, 'x') + "…' is no member"));
  CHECK(problem(std::string("scan_rows = 7\0", 14)) != "");
  CHECK(problem("\x7f"
                "ELF\x02\x01") != "");
  CHECK(problem(std::string(1000, '\xff')) != "");
}

TEST_CASE("tuning text: an order without a name is written so that it is refused") {
  Tuning tuning;
  tuning.tile_order = static_cast<TileOrder>(3);
  CHECK(tuning.text() == "tile_order = 3\n");
  CHECK(says(tuning.text(), "tile_order is '3'"));
}

TEST_CASE("tuning text: what a Device uses can be written and used again") {
  const Device& device = context().device();
  const Tuning used = device.tuning();
  for (const TuningField& field : tuning_fields()) {
    const bool may_be_0 = field.member == &Tuning::lookback_pause;
    CHECK((may_be_0 || used.*field.member > 0));
  }
  CHECK(used.tile_order != TileOrder::from_table);
  Tuning again;
  REQUIRE(Tuning::load(used.text(), again));
  CHECK(again.text() == used.text());
  CHECK(Device().tuning().text() == "");
}

}  // namespace vkprims::test
