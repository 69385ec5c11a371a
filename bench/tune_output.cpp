#include "tune_output.hpp"

#include <cctype>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace vkprims::bench {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string gain_of(const TuneOutcome& outcome) {
  if (outcome.changes.empty()) return "";
  char text[48];
  std::snprintf(text, sizeof text, "%.1f %% faster", 100 * outcome.gain);
  return outcome.is_confirmed ? text : "faster";
}

bool stderr_is_terminal() {
#ifdef _WIN32
  return _isatty(_fileno(stderr)) != 0;
#else
  return isatty(fileno(stderr)) != 0;
#endif
}

}  // namespace

std::string file_name_of(const std::string& device) {
  std::string name = "tuning";
  bool is_word = false;
  for (const char c : device) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && std::isalnum(byte)) {
      if (!is_word) name += '-';
      name += static_cast<char>(std::tolower(byte));
      is_word = true;
    } else {
      is_word = false;
    }
  }
  return name + ".txt";
}

void write(const TuneReport& report) {
  std::ofstream file(report.path, std::ios::binary | std::ios::trunc);
  file << "# Tuning of " << report.device << ",\n# " << report.driver
       << ", by vkprims-bench --tune of\n# vkprims " << report.version
       << ". VKPRIMS_TUNING and Tuning::load() take it.\n";
  for (const TuneOutcome& outcome : report.outcomes) {
    if (outcome.changes.empty()) continue;
    file << "# " << outcome.family << ": " << gain_of(outcome) << ": " << joined(outcome.changes)
         << "\n";
  }
  file << report.best.text();
  file.close();
  if (!file) throw std::runtime_error("--tune: cannot write " + report.path);
}

void print(const TuneReport& report) {
  std::printf("%s, %s\n\n%-18s %-14s %s\n", report.device.c_str(), report.driver.c_str(), "family",
              "gain", "changes");
  for (const TuneOutcome& outcome : report.outcomes) {
    const std::string changes = outcome.changes.empty() ? "none" : joined(outcome.changes);
    const char* note = outcome.is_finished ? "" : "  (there was no time for all of it)";
    std::printf("%-18s %-14s %s%s\n", outcome.family.c_str(), gain_of(outcome).c_str(),
                changes.c_str(), note);
  }
  if (!report.discarded.empty()) std::printf("\n");
  for (const std::string& line : report.discarded) std::printf("discarded: %s\n", line.c_str());
  std::printf("\n%s has the tuning; VKPRIMS_TUNING=%s uses it\n", report.path.c_str(),
              report.path.c_str());
}

TuneProgress::TuneProgress() : is_terminal_(stderr_is_terminal()) {}

void TuneProgress::family(const std::string& name, std::size_t number, std::size_t of) {
  family_ = "[" + std::to_string(number) + "/" + std::to_string(of) + "] " + name;
  if (!is_terminal_) std::fprintf(stderr, "%s\n", family_.c_str());
}

void TuneProgress::show(const std::string& doing, double seconds_left) {
  if (!is_terminal_) return;
  const auto seconds = static_cast<unsigned>(seconds_left > 0 ? seconds_left : 0);
  char left[32];
  std::snprintf(left, sizeof left, "  (at most %u:%02u left)", seconds / 60, seconds % 60);
  std::string line = family_ + ": " + doing + left;
  const std::size_t width = line.size();
  if (width < width_) line.append(width_ - width, ' ');
  width_ = width;
  std::fprintf(stderr, "\r%s", line.c_str());
  std::fflush(stderr);
}

void TuneProgress::end() {
  if (is_terminal_ && width_) std::fprintf(stderr, "\r%*s\r", static_cast<int>(width_), "");
}

}  // namespace vkprims::bench
