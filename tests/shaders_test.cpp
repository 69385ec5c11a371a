// What must hold for every shader of the library.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "all_shaders.hpp"
#include "spirv_reader.hpp"
#include "support.hpp"

namespace vkprims::test {

TEST_CASE(
    "shaders: all use the Vulkan memory model, and neither device scope nor coherent or volatile "
    "data") {
  for (const Spirv* spirv : kAllShaders) {
    if (!spirv->words) continue;
    CAPTURE(std::string(spirv->name));
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
    CAPTURE(std::string(spirv->name));
    CHECK(SpirvReader(*spirv).non_private_accesses >= 2);
  }
}

TEST_CASE("shaders: push constants are 32-bit words without holes, at most 128 bytes") {
  for (const Spirv* spirv : kAllShaders) {
    if (!spirv->words) continue;
    CAPTURE(std::string(spirv->name));
    const std::vector<std::uint32_t> offsets = SpirvReader(*spirv).push_offsets();
    REQUIRE(!offsets.empty());
    for (std::size_t i = 0; i < offsets.size(); ++i) CHECK(offsets[i] == 4 * i);
    CHECK(offsets.back() < 128);
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
