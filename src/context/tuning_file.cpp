#include "tuning_file.hpp"

#include <cstdlib>
#include <fstream>

namespace vkprims {
namespace {

constexpr std::size_t kLargestFile = 64 << 10;

[[noreturn]] void refuse(const char* origin, const std::string& path, const char* problem) {
  throw Error(
      Status::error(Status::invalid_argument, "%s '%s': %s", origin, path.c_str(), problem));
}

// A path of a directory opens as well, and fails only when it is read.
std::string contents_of(const char* origin, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(origin, path, "cannot be opened");
  std::string text(kLargestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) refuse(origin, path, "cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestFile) refuse(origin, path, "is larger than 64 KiB");
  return text;
}

}  // namespace

Tuning tuning_of(const ContextInfo& info) {
  const char* variable = info.tuning_file.empty() ? std::getenv("VKPRIMS_TUNING") : nullptr;
  const std::string path = variable ? variable : info.tuning_file;
  if (path.empty()) return info.tuning;
  const char* origin = variable ? "VKPRIMS_TUNING" : "tuning_file";
  Tuning tuning;
  const Status status = Tuning::load(contents_of(origin, path), tuning);
  if (!status) refuse(origin, path, status.message());
  for (const TuningField& field : tuning_fields()) {
    if (info.tuning.*field.member) tuning.*field.member = info.tuning.*field.member;
  }
  if (info.tuning.tile_order != TileOrder::from_table) tuning.tile_order = info.tuning.tile_order;
  return tuning;
}

}  // namespace vkprims
