// The text form of a Tuning.
#include <algorithm>
#include <charconv>
#include <cstdio>

#include "runtime/tuning.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

// The workgroups that no field may exceed. What a device allows is checked when it is known.
constexpr std::uint32_t kLargestWorkgroup = 1024;
constexpr std::string_view kOrders[] = {"ticket", "workgroup"};  // TileOrder, from 1 on
constexpr std::string_view kOrderName = "tile_order";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\v\f";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// A part of the text for a message, which shows at most 40 bytes of it.
struct Shown {
  explicit Shown(std::string_view text) {
    const auto length = static_cast<int>(std::min<std::size_t>(text.size(), 40));
    const char* begin = text.empty() ? "" : text.data();
    std::snprintf(bytes, sizeof bytes, "%.*s%s", length, begin, text.size() > 40 ? "…" : "");
  }
  char bytes[48];
};

Status read_value(unsigned line, const TuningField& field, std::string_view text,
                  std::uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Status::error(Status::invalid_argument,
                         "Tuning::load: line %u: %s is '%s', must be a number %u … %u", line,
                         field.name, Shown(text).bytes, field.low, field.high);
  }
  char where[40];
  std::snprintf(where, sizeof where, "Tuning::load: line %u: ", line);
  return check_field(where, field, value, kLargestWorkgroup);
}

Status read_order(unsigned line, std::string_view text, TileOrder& order) {
  const auto found = std::find(std::begin(kOrders), std::end(kOrders), text);
  if (found == std::end(kOrders)) {
    return Status::error(Status::invalid_argument,
                         "Tuning::load: line %u: tile_order is '%s', must be ticket or workgroup",
                         line, Shown(text).bytes);
  }
  order = static_cast<TileOrder>(found - std::begin(kOrders) + 1);
  return {};
}

}  // namespace

Status Tuning::load(std::string_view text, Tuning& tuning) {
  const std::span<const TuningField> fields = tuning_fields();
  Tuning read;
  unsigned first_line[64] = {};  // of each field, and behind them of tile_order; 0: not there yet
  static_assert(sizeof(Tuning) / 4 <= std::size(first_line));
  for (unsigned line = 1; !text.empty(); ++line) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    rest = trimmed(rest.substr(0, rest.find('#')));
    if (rest.empty()) continue;
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) {
      return Status::error(Status::invalid_argument,
                           "Tuning::load: line %u: '%s' is no line 'name = value'", line,
                           Shown(rest).bytes);
    }
    const std::string_view name = trimmed(rest.substr(0, equals));
    const std::string_view value = trimmed(rest.substr(equals + 1));
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const TuningField& f) { return name == f.name; });
    if (field == fields.end() && name != kOrderName) {
      return Status::error(Status::invalid_argument,
                           "Tuning::load: line %u: '%s' is no member of Tuning", line,
                           Shown(name).bytes);
    }
    unsigned& first = first_line[field - fields.begin()];
    if (first) {
      return Status::error(Status::invalid_argument,
                           "Tuning::load: line %u: %s is set a second time, after line %u", line,
                           Shown(name).bytes, first);
    }
    first = line;
    if (field == fields.end()) {
      VKPRIMS_TRY(read_order(line, value, read.tile_order));
    } else {
      VKPRIMS_TRY(read_value(line, *field, value, read.*field->member));
    }
  }
  tuning = read;
  return {};
}

std::string Tuning::text() const {
  std::string result;
  const auto add = [&](std::string_view name, std::string_view value) {
    result.append(name).append(" = ").append(value).append("\n");
  };
  for (const TuningField& field : tuning_fields()) {
    if (this->*field.member) add(field.name, std::to_string(this->*field.member));
  }
  const auto order = static_cast<std::uint32_t>(tile_order);
  if (order == 0) return result;
  add(kOrderName, order <= std::size(kOrders) ? kOrders[order - 1] : std::to_string(order));
  return result;
}

}  // namespace vkprims
