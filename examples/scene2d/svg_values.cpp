// Reads numbers, colours, transforms and view boxes.
#include "svg_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <system_error>

#include "path_data.hpp"

namespace scene2d {
namespace {

constexpr double kLargest = 1e7;
constexpr std::string_view kSpaces = " \t\n\r\f";
constexpr std::string_view kSeparators = " \t\n\r\f,";

void skip(std::string_view& text, std::string_view characters) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Returns whether a number that is too large or too small for a float is too small.
bool is_tiny(std::string_view number) {
  const std::size_t exponent = number.find_first_of("eE");
  if (exponent != number.npos) return number.substr(exponent + 1).starts_with('-');
  return number.find_first_of("123456789") > number.find('.');
}

// #rgb, #rgba, #rrggbb or #rrggbbaa without the #.
std::optional<Colour> parse_hex(std::string_view digits) {
  std::uint32_t bits = 0;
  const char* const end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, bits, 16).ptr != end) return {};
  const bool is_short = digits.size() == 3 || digits.size() == 4;
  if (!is_short && digits.size() != 6 && digits.size() != 8) return {};
  if (digits.size() == 3) bits = bits << 4 | 0xf;
  if (digits.size() == 6) bits = bits << 8 | 0xff;
  const auto channel = [&](std::uint32_t i) {
    const std::uint32_t value = is_short ? (bits >> 4 * i & 0xf) * 0x11 : bits >> 8 * i & 0xff;
    return static_cast<float>(value) / 255;
  };
  return Colour{channel(3), channel(2), channel(1), channel(0)};
}

using Channels = std::array<double, 4>;

// What stands between the parentheses of rgb() or hsl(). Numbers are divided by `wholes`, unless
// they are percentages.
std::optional<Channels> parse_channels(std::string_view text, const Channels& wholes) {
  Channels channels = {0, 0, 0, 1};
  std::size_t count = 0;
  for (; count < 4; ++count) {
    skip(text, " \t\n\r\f,/");
    const std::optional<double> number = next_real(text);
    if (!number) break;
    const bool is_percentage = text.starts_with('%');
    if (is_percentage) text.remove_prefix(1);
    channels[count] = *number / (is_percentage ? 100 : wholes[count]);
  }
  if (count < 3 || !trim(text).empty()) return {};
  std::transform(channels.begin() + 1, channels.end(), channels.begin() + 1,
                 [](double channel) { return std::clamp(channel, 0.0, 1.0); });
  return channels;
}

std::optional<Colour> parse_rgb(std::string_view text) {
  const auto channels = parse_channels(text, {255, 255, 255, 1});
  if (!channels) return {};
  const auto at = [&](std::size_t i) { return static_cast<float>((*channels)[i]); };
  return Colour{std::clamp(at(0), 0.f, 1.f), at(1), at(2), at(3)};
}

// The conversion of https://www.w3.org/TR/css-color-4/#hsl-to-rgb.
std::optional<Colour> parse_hsl(std::string_view text) {
  const auto channels = parse_channels(text, {360, 100, 100, 1});
  if (!channels) return {};
  const auto [hue, saturation, lightness, alpha] = *channels;
  const double swing = saturation * std::min(lightness, 1 - lightness);
  const auto channel = [&, hue = hue, lightness = lightness](double twelfths) {
    const double turn = hue + twelfths / 12, k = 12 * (turn - std::floor(turn));
    return static_cast<float>(lightness - swing * std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0));
  };
  return Colour{channel(0), channel(8), channel(4), static_cast<float>(alpha)};
}

Affine rotation(float degrees) {
  const float angle = degrees * std::numbers::pi_v<float> / 180;
  const float c = std::cos(angle), s = std::sin(angle);
  return {c, s, -s, c, 0, 0};
}

float tangent(float degrees) { return std::tan(degrees * std::numbers::pi_v<float> / 180); }

// One function of a list of transforms.
std::optional<Affine> transform(std::string_view name, const std::vector<float>& v) {
  const std::size_t n = v.size();
  if (name == "matrix" && n == 6) return Affine{v[0], v[1], v[2], v[3], v[4], v[5]};
  if (name == "translate" && (n == 1 || n == 2)) return Affine{1, 0, 0, 1, v[0], n == 2 ? v[1] : 0};
  if (name == "scale" && (n == 1 || n == 2)) return Affine{v[0], 0, 0, v[n - 1], 0, 0};
  if (name == "rotate" && n == 1) return rotation(v[0]);
  if (name == "rotate" && n == 3) {
    const Affine there{1, 0, 0, 1, v[1], v[2]}, back{1, 0, 0, 1, -v[1], -v[2]};
    return there * rotation(v[0]) * back;
  }
  if (name == "skewX" && n == 1) return Affine{1, 0, tangent(v[0]), 1, 0, 0};
  if (name == "skewY" && n == 1) return Affine{1, tangent(v[0]), 0, 1, 0, 0};
  return {};
}

}  // namespace

float checked(double value) {
  if (!(std::abs(value) <= kLargest)) throw Skipped{"number"};
  return static_cast<float>(value);
}

float clamped(double value) { return static_cast<float>(std::clamp(value, -kLargest, kLargest)); }

std::string_view trim(std::string_view text) {
  skip(text, kSpaces);
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = to_lower(c);
  return lower;
}

bool same_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return to_lower(a) == b; });
}

std::string_view take_word(std::string_view& text) {
  skip(text, kSpaces);
  const std::string_view word = text.substr(0, text.find_first_of(kSpaces));
  text.remove_prefix(word.size());
  return word;
}

std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view front = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return front;
}

std::optional<double> next_real(std::string_view& text) {
  constexpr double kHuge = 1e30;  // products of it with sizes are finite
  skip(text, kSeparators);
  if (float number = 0; take_number(text, number)) return std::clamp<double>(number, -kHuge, kHuge);
  // Either there is no number, or its exponent is the reason why it could not be taken.
  std::string_view digits = text.substr(text.starts_with('-') || text.starts_with('+'));
  if (digits.empty() || !is_digit(digits[digits.size() > 1 && digits[0] == '.'])) return {};
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.data()));
  const bool is_negative = number.starts_with('-');
  if (error == std::errc::result_out_of_range) value = is_tiny(number) ? 0 : kHuge;
  text.remove_prefix(number.size());
  value = std::min(value, kHuge);
  return is_negative ? -value : value;
}

std::optional<float> next_number(std::string_view& text) {
  const std::optional<double> number = next_real(text);
  if (!number) return {};
  return checked(*number);
}

std::optional<std::vector<float>> parse_numbers(std::string_view text) {
  std::vector<float> numbers;
  while (const std::optional<float> number = next_number(text)) numbers.push_back(*number);
  if (!trim(text).empty()) return {};
  return numbers;
}

std::optional<Affine> parse_transform(std::string_view text) {
  Affine product;
  for (skip(text, kSeparators); !text.empty(); skip(text, kSeparators)) {
    if (text.find(')') == std::string_view::npos) return {};
    const std::string_view name = trim(take_until(text, '('));
    const auto numbers = parse_numbers(take_until(text, ')'));
    const auto factor = numbers ? transform(name, *numbers) : std::nullopt;
    if (!factor) return {};
    product = product * *factor;
  }
  for (const float value : {product.a, product.b, product.c, product.d, product.e, product.f}) {
    checked(value);
  }
  return product;
}

std::optional<Colour> parse_colour(std::string_view text) {
  text = trim(text);
  if (text.starts_with('#')) return parse_hex(text.substr(1));
  if (!text.ends_with(')')) return named_colour(text);
  text.remove_suffix(1);
  const std::string_view name = take_until(text, '(');
  if (same_word(name, "rgb") || same_word(name, "rgba")) return parse_rgb(text);
  if (same_word(name, "hsl") || same_word(name, "hsla")) return parse_hsl(text);
  return {};
}

std::optional<std::string> take_url(std::string_view& text) {
  if (!text.starts_with("url(") || text.find(')') == std::string_view::npos) return {};
  text.remove_prefix(4);
  std::string_view target = trim(take_until(text, ')'));
  const bool is_quoted = target.starts_with('"') || target.starts_with('\'');
  if (is_quoted && target.size() > 1) target = target.substr(1, target.size() - 2);
  return std::string(target.starts_with('#') ? target.substr(1) : "");
}

std::optional<ViewBox> parse_view_box(std::string_view text) {
  const auto numbers = parse_numbers(text);
  if (!numbers || numbers->size() != 4) return {};
  const ViewBox box{(*numbers)[0], (*numbers)[1], (*numbers)[2], (*numbers)[3]};
  if (!(box.width >= 0 && box.height >= 0)) return {};
  return box;
}

Affine fit(const ViewBox& box, std::string_view aspect, float width, float height) {
  const auto says = [&](const char* word) { return aspect.find(word) != std::string_view::npos; };
  float sx = width / box.width, sy = height / box.height;
  if (!says("none")) sx = sy = says("slice") ? std::max(sx, sy) : std::min(sx, sy);
  const float left = says("xMin") ? 0 : says("xMax") ? 1 : 0.5f;
  const float top = says("YMin") ? 0 : says("YMax") ? 1 : 0.5f;
  return {checked(sx),
          0,
          0,
          checked(sy),
          checked((width - box.width * sx) * left - box.x * sx),
          checked((height - box.height * sy) * top - box.y * sy)};
}

}  // namespace scene2d
