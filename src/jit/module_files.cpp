// Compiled modules in a directory.
//
// A file has a header, the key and the words. The key is compared, so that two sources with one
// hash do no harm; the checksum finds files that are damaged.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "jit/compiler_state.hpp"

namespace vkprims::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20;
constexpr std::uint32_t kSpirvMagic = 0x07230203;

struct FileHeader {
  char magic[8] = {'v', 'k', 'p', 'j', 'i', 't', '0', '1'};
  std::uint64_t key_bytes = 0, words = 0;
  std::uint64_t hash = 0;  // of key and words

  bool operator==(const FileHeader&) const = default;
};

// FNV-1a, from a state.
std::uint64_t hash_of(std::uint64_t hash, const void* data, std::size_t bytes) {
  const auto* from = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ from[i]) * 0x100000001b3u;
  return hash;
}

constexpr std::uint64_t kStart = 0xcbf29ce484222325u;

FileHeader header_of(const std::string& key, const std::vector<std::uint32_t>& words) {
  FileHeader header;
  header.key_bytes = key.size();
  header.words = words.size();
  header.hash = hash_of(hash_of(kStart, key.data(), key.size()), words.data(), words.size() * 4);
  return header;
}

fs::path path_of(const std::string& directory, const std::string& key) {
  char name[48];
  std::snprintf(name, sizeof name, "%016llx%016llx.spv",
                static_cast<unsigned long long>(hash_of(kStart, key.data(), key.size())),
                static_cast<unsigned long long>(hash_of(~kStart, key.data(), key.size())));
  return fs::path(directory) / name;
}

}  // namespace

bool read_module(const std::string& directory, const std::string& key,
                 std::vector<std::uint32_t>& words) {
  const fs::path path = path_of(directory, key);
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > kLargestFile) return false;
  std::ifstream file(path, std::ios::binary);
  FileHeader header;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || header.key_bytes != key.size() || header.words > kLargestFile / 4 ||
      size != sizeof header + header.key_bytes + 4 * header.words) {
    return false;
  }
  std::string read_key(key.size(), ' ');
  std::vector<std::uint32_t> read(static_cast<std::size_t>(header.words));
  file.read(read_key.data(), static_cast<std::streamsize>(read_key.size()));
  file.read(reinterpret_cast<char*>(read.data()), static_cast<std::streamsize>(read.size() * 4));
  if (!file || read_key != key || header != header_of(key, read)) return false;
  if (read.size() < 5 || read[0] != kSpirvMagic) return false;
  words.swap(read);
  return true;
}

bool write_module(const std::string& directory, const std::string& key,
                  const std::vector<std::uint32_t>& words) {
  std::error_code error;
  fs::create_directories(directory, error);
  const fs::path path = path_of(directory, key);
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  fs::path temporary = path;
  temporary += "." + std::to_string(ticks) + "-" +
               std::to_string(reinterpret_cast<std::uintptr_t>(&words)) + ".tmp";
  const FileHeader header = header_of(key, words);
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(key.data(), static_cast<std::streamsize>(key.size()));
  file.write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * 4));
  file.close();
  if (file) fs::rename(temporary, path, error);
  if (file && !error) return true;
  fs::remove(temporary, error);
  return false;
}

}  // namespace vkprims::jit
