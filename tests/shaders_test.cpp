// What must hold for every shader of the library.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "all_shaders.hpp"
#include "copy.abi.h"
#include "dispatch_args.abi.h"
#include "fill.abi.h"
#include "iota.abi.h"
#include "reduce.abi.h"
#include "spirv_reader.hpp"
#include "support.hpp"

namespace vkprims::test {

TEST_CASE("shaders: all use the Vulkan memory model, and neither device scope nor coherent or volatile data") {
  for (const Spirv* spirv : kAllShaders) {
    if (!spirv->words) continue;
    CAPTURE(spirv->name);
    const SpirvReader module(*spirv);
    CHECK(module.memory_model == SpirvReader::kVulkanMemoryModel);
    CHECK(module.capabilities.count(SpirvReader::kVulkanMemoryModelDeviceScope) == 0);
    CHECK(module.decorations.count(SpirvReader::kVolatile) == 0);
    CHECK(module.decorations.count(SpirvReader::kCoherent) == 0);
  }
}

TEST_CASE("shaders: data that crosses workgroups is accessed as non-private") {
  // The results of workgroups in reduce: one store and one load per word at least.
  for (const Spirv* spirv : kAllShaders) {
    if (!spirv->words || std::strncmp(spirv->name, "reduce_", 7) != 0) continue;
    CAPTURE(spirv->name);
    CHECK(SpirvReader(*spirv).non_private_accesses >= 2);
  }
}

TEST_CASE("shaders: push constants lie where the C++ structs have them: 32-bit words without holes") {
  const auto size_of_push = [](const std::string& name) -> std::size_t {
    if (name.rfind("copy", 0) == 0) return sizeof(abi::CopyPush);
    if (name.rfind("fill", 0) == 0) return sizeof(abi::FillPush);
    if (name.rfind("iota", 0) == 0) return sizeof(abi::IotaPush);
    if (name.rfind("reduce", 0) == 0) return sizeof(abi::ReducePush);
    if (name.rfind("dispatch_args", 0) == 0) return sizeof(abi::DispatchArgsPush);
    return 0;
  };
  for (const Spirv* spirv : kAllShaders) {
    if (!spirv->words) continue;
    CAPTURE(spirv->name);
    const std::vector<std::uint32_t> offsets = SpirvReader(*spirv).push_offsets();
    REQUIRE(!offsets.empty());
    for (std::size_t i = 0; i < offsets.size(); ++i) CHECK(offsets[i] == 4 * i);
    // The last member may be an array, as in fill: four words.
    const std::size_t members = size_of_push(spirv->name) / 4 - (std::strcmp(spirv->name, "fill") == 0 ? 3 : 0);
    CHECK(offsets.size() == members);
  }
}

TEST_CASE("shaders: written to files for spirv-val where VKPRIMS_TEST_SPIRV_DIR asks for it") {
  const char* directory = std::getenv("VKPRIMS_TEST_SPIRV_DIR");
  if (!directory) return;
  for (const Spirv* spirv : kAllShaders) {
    if (!spirv->words) continue;
    const std::string path = std::string(directory) + "/" + spirv->name + ".spv";
    std::FILE* file = std::fopen(path.c_str(), "wb");
    REQUIRE(file);
    CHECK(std::fwrite(spirv->words, 1, spirv->bytes, file) == spirv->bytes);
    std::fclose(file);
  }
}

}  // namespace vkprims::test
