#include "hints.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace vkprims {
namespace {

namespace fs = std::filesystem;

// What Linux shows of GPUs: one render node for each, or NVIDIA's own nodes.
struct Nodes {
  std::string readable;  // one of each kind, or empty
  std::string unreadable;
  bool nvidia = false;
};

Nodes find_nodes() {
  Nodes nodes;
  std::error_code ignored;
  for (fs::directory_iterator at("/dev/dri", ignored), end; at != end; at.increment(ignored)) {
    if (at->path().filename().string().rfind("renderD", 0) != 0) continue;
    std::ifstream file(at->path(), std::ios::binary);
    (file ? nodes.readable : nodes.unreadable) = at->path().string();
  }
  nodes.nvidia = fs::exists("/dev/nvidiactl", ignored);
  return nodes;
}

}  // namespace

std::string device_hints(bool has_cpu_device) {
  const Nodes nodes = find_nodes();
  if (!nodes.unreadable.empty()) {
    return nodes.unreadable +
           " cannot be opened by this user: add the user to the group that owns it (render) and log"
           " in again";
  }
  if (nodes.nvidia) {
    return "an NVIDIA GPU is here, but its Vulkan driver is not, or lacks a library (Debian and"
           " Ubuntu: the package libegl1; in a container also set NVIDIA_DRIVER_CAPABILITIES=all)";
  }
  if (!nodes.readable.empty()) {
    return "a GPU is here (" + nodes.readable +
           "), but no Vulkan driver for it; Debian and Ubuntu have drivers for AMD and Intel in the"
           " package mesa-vulkan-drivers";
  }
  if (has_cpu_device) return "only the CPU: this system shows no GPU";
  return "this system shows no GPU; install a driver for yours, or one that runs on the CPU (Debian"
         " and Ubuntu: the package mesa-vulkan-drivers)";
}

}  // namespace vkprims
