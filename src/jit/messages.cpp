// What shaderc says of a source, as a Status.
#include <string>

#include "jit/compiler_state.hpp"

namespace vkprims::jit {
namespace {

// More errors than these are mostly consequences of the first.
constexpr std::size_t kMostErrors = 8;

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// Line `number` of a text, counted from 1.
std::string_view line_of(std::string_view text, std::size_t number) {
  std::string_view line;
  for (std::size_t i = 0; i < number; ++i) {
    if (text.empty()) return {};
    line = take_line(text);
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

// Splits "path:12: error: …" into its parts.
bool split(std::string_view message, std::string_view& file, std::size_t& number,
           std::string_view& sentence) {
  constexpr std::string_view kMark = ": error: ";
  const std::size_t mark = message.find(kMark);
  if (mark == std::string_view::npos) return false;
  const std::string_view place = message.substr(0, mark);
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return false;
  number = 0;
  for (const char c : place.substr(colon + 1)) {
    if (c < '0' || c > '9') return false;
    number = 10 * number + static_cast<std::size_t>(c - '0');
  }
  file = place.substr(0, colon);
  sentence = message.substr(mark + kMark.size());
  const std::size_t begin = sentence.find_first_not_of(' ');
  sentence.remove_prefix(std::min(begin, sentence.size()));
  // glslang names the token that it is about, which is often none.
  constexpr std::string_view kNoToken = "'' : ";
  if (sentence.substr(0, kNoToken.size()) == kNoToken) {
    sentence.remove_prefix(
        std::min(sentence.find_first_not_of(' ', kNoToken.size()), sentence.size()));
  }
  return true;
}

}  // namespace

Status compile_error(const Request& request, std::string_view messages) {
  std::string text, last;
  std::size_t errors = 0;
  const std::string_view all = messages;
  while (!messages.empty()) {
    std::string_view file, sentence, source;
    std::size_t number = 0;
    if (!split(take_line(messages), file, number, sentence)) continue;
    if (sentence.find("compilation terminated") != std::string_view::npos) continue;
    // Further errors in a line are mostly consequences of its first one.
    const std::string place = std::string(file) + ':' + std::to_string(number);
    if (place == last) continue;
    last = place;
    if (++errors > kMostErrors) continue;
    text.append("\n").append(place).append(": ").append(sentence);
    if (!find_text(request, file, source)) continue;
    if (const std::string_view line = line_of(source, number); !line.empty()) {
      text.append("\n    ").append(line);
    }
  }
  if (errors > kMostErrors) {
    text += "\nand " + std::to_string(errors - kMostErrors) + " more errors";
  }
  if (errors == 0) text.append("\n").append(all);
  return Status::error(Status::invalid_argument, "jit: %s does not compile:%s",
                       request.what.c_str(), text.c_str());
}

}  // namespace vkprims::jit
