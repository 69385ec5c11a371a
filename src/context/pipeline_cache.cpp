#include "pipeline_cache.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace vkprims {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{256} << 20;

// This header precedes the driver's data. Not every driver checks its data, and a damaged file must
// not reach the driver.
struct FileHeader {
  char magic[8] = {'v', 'k', 'p', 'r', 'i', 'm', 's', '1'};
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;

  bool operator==(const FileHeader&) const = default;
};

// The checksum is FNV-1a.
FileHeader header_of(const std::vector<char>& data) {
  FileHeader header;
  header.bytes = data.size();
  header.hash = 0xcbf29ce484222325u;
  for (const char c : data) {
    header.hash = (header.hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return header;
}

// The directory that a variable names; nothing if it is not set or is relative, which the
// specification of XDG_CACHE_HOME says to ignore.
fs::path directory_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value && fs::path(value).is_absolute() ? fs::path(value) : fs::path();
}

fs::path cache_directory() {
  if (const fs::path xdg = directory_of("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "vkprims";
  // This variable is set by Windows, where a shell may set HOME, too.
  if (const fs::path local = directory_of("LOCALAPPDATA"); !local.empty()) return local / "vkprims";
  if (const fs::path home = directory_of("HOME"); !home.empty()) return home / ".cache" / "vkprims";
  return {};
}

std::string file_name(const VkPhysicalDeviceProperties& device) {
  char text[64];
  std::snprintf(text, sizeof text, "%08x-%08x-%08x-", device.vendorID, device.deviceID,
                device.driverVersion);
  std::string name = text;
  for (const std::uint8_t byte : device.pipelineCacheUUID) {
    std::snprintf(text, sizeof text, "%02x", byte);
    name += text;
  }
  return name + ".bin";
}

// The driver's data from a file of ours, or nothing.
std::vector<char> read_file(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size < sizeof(FileHeader) || size > kLargestFile) return {};
  std::ifstream file(path, std::ios::binary);
  FileHeader header;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  std::vector<char> data(static_cast<std::size_t>(size) - sizeof header);
  file.read(data.data(), static_cast<std::streamsize>(data.size()));
  if (!file || header != header_of(data)) return {};
  return data;
}

// Whether the data belong to this device and driver, as far as Vulkan's own header tells.
bool fits(const std::vector<char>& data, const VkPhysicalDeviceProperties& device) {
  VkPipelineCacheHeaderVersionOne header;
  if (data.size() < sizeof header) return false;
  std::memcpy(&header, data.data(), sizeof header);
  return header.headerSize == sizeof header &&
         header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
         header.vendorID == device.vendorID && header.deviceID == device.deviceID &&
         !std::memcmp(header.pipelineCacheUUID, device.pipelineCacheUUID, VK_UUID_SIZE);
}

// Writes a file beside the old one and renames it, so that no reader ever sees a part of a file.
bool replace_file(const fs::path& path, const std::vector<char>& data) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  fs::path temporary = path;
  temporary += "." + std::to_string(ticks) + "-" +
               std::to_string(reinterpret_cast<std::uintptr_t>(&data)) + ".tmp";
  const FileHeader header = header_of(data);
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(data.data(), static_cast<std::streamsize>(data.size()));
  file.close();
  if (file) fs::rename(temporary, path, error);
  if (file && !error) return true;
  fs::remove(temporary, error);
  return false;
}

}  // namespace

PipelineCache::PipelineCache(const LogicalDevice& device, const Messages& messages, bool use_file)
    : device_(device), messages_(messages) {
  std::vector<char> data;
  const fs::path directory = use_file ? cache_directory() : fs::path();
  if (!directory.empty()) {
    path_ = directory / file_name(device.properties);
    data = read_file(path_);
    if (!fits(data, device.properties)) data.clear();
    messages_.send(LogLevel::info, "pipeline cache: " + std::to_string(data.size()) +
                                       " bytes from " + path_.string());
  }
  create(data.data(), data.size());
  if (handle_) {
    loaded_bytes_ = data.size();
  } else {
    create(nullptr, 0);
  }
}

void PipelineCache::create(const void* data, std::size_t bytes) {
  const VkPipelineCacheCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                       .initialDataSize = bytes,
                                       .pInitialData = data};
  if (device_.vk.vkCreatePipelineCache(device_.handle, &info, nullptr, &handle_) < 0) {
    handle_ = VK_NULL_HANDLE;
  }
}

PipelineCache::~PipelineCache() {
  try {
    if (handle_ && !path_.empty()) save();
  } catch (...) {  // without memory, or with a path that the system rejects, no file is written
  }
  device_.vk.vkDestroyPipelineCache(device_.handle, handle_, nullptr);
}

void PipelineCache::save() const {
  std::size_t bytes = 0;
  VkResult result = device_.vk.vkGetPipelineCacheData(device_.handle, handle_, &bytes, nullptr);
  if (result != VK_SUCCESS || bytes <= loaded_bytes_) return;
  std::vector<char> data(bytes);
  result = device_.vk.vkGetPipelineCacheData(device_.handle, handle_, &bytes, data.data());
  if (result != VK_SUCCESS) return;
  data.resize(bytes);
  const bool written = replace_file(path_, data);
  messages_.send(LogLevel::info, written ? "pipeline cache: " + std::to_string(bytes) +
                                               " bytes to " + path_.string()
                                         : "pipeline cache: cannot write " + path_.string());
}

}  // namespace vkprims
