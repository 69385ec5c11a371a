// What must hold for every shader of the library.
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "all_shaders.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"

namespace vkprims::test {

// Every compiler that processes a module pays for its size, and so does every program that links
// it. A primitive that needs more says why here; tools/module_size says what a module's bytes come
// from.
TEST_CASE("shaders: modules are small") {
  constexpr std::size_t kMostOfModule = 96 * 1024;
  constexpr std::size_t kMostOfAll = 12 * 1024 * 1024;
  std::size_t all = 0;
  for (const Spirv* spirv : kAllShaders) {
    CAPTURE(std::string(spirv->name));
    CHECK(spirv->bytes <= kMostOfModule);
    all += spirv->bytes;
  }
  CHECK(all <= kMostOfAll);
}

TEST_CASE(
    "shaders: all use the Vulkan memory model, and neither device scope nor coherent or volatile "
    "data") {
  for (const Spirv* spirv : kAllShaders) {
    if (spirv->bytes == 0) continue;
    CAPTURE(std::string(spirv->name));
    const SpirvReader module(*spirv);
    CHECK(module.memory_model == SpirvReader::kVulkanMemoryModel);
    CHECK(module.capabilities.count(SpirvReader::kVulkanMemoryModelDeviceScope) == 0);
    CHECK(module.decorations.count(SpirvReader::kVolatile) == 0);
    CHECK(module.decorations.count(SpirvReader::kCoherent) == 0);
  }
}

TEST_CASE("shaders: data that crosses workgroups is accessed as non-private") {
  // Workgroups leave data for the last of them, which reads by atomics; they need one store per
  // word. In scan the last one stores the folds of the workgroups once more.
  const struct {
    const char* prefix;
    int stores;
  } kernels[] = {{"reduce_", 1},
                 {"arg_reduce_", 1},
                 {"scan_multi_pass_fold_", 2},
                 {"segmented_reduce_fix_up_", 2},
                 {"segmented_scan_multi_pass_fold_", 4},
                 {"spmv_fix_up_", 2}};
  for (const auto& kernel : kernels) {
    int found = 0;
    for (const Spirv* spirv : kAllShaders) {
      const std::string name = spirv->name;
      const bool named = name.rfind(kernel.prefix, 0) == 0 &&
                         name.size() == std::string(kernel.prefix).size() + 3;  // and a type
      if (spirv->bytes == 0 || !named) continue;
      CAPTURE(name);
      CHECK(SpirvReader(*spirv).non_private_accesses() >= kernel.stores);
      ++found;
    }
    CHECK(found > 0);
  }
}

TEST_CASE(
    "shaders: the states of a look-back are read and written by atomics of queue family scope") {
  using R = SpirvReader;
  for (const Spirv* spirv : kAllShaders) {
    const std::string name = spirv->name;
    if (spirv->bytes == 0 || (name.rfind("scan_look_back_", 0) != 0 &&
                              name.rfind("segmented_scan_look_back_", 0) != 0)) {
      continue;
    }
    CAPTURE(name);
    const R module(*spirv);
    CHECK(module.non_private_accesses() == 0);
    std::set<std::uint32_t> ops, ordered;
    for (const R::Atomic& atomic : module.atomics) {
      CHECK(atomic.scope == R::kQueueFamilyScope);
      ops.insert(atomic.op);
      if (atomic.semantics != R::kRelaxed) ordered.insert(atomic.op);
    }
    for (const std::uint32_t op :
         {R::kOpAtomicLoad, R::kOpAtomicStore, R::kOpAtomicExchange, R::kOpAtomicCompareExchange}) {
      CHECK(ops.count(op) == 1);
    }
    // Only these operations are ordered. They keep reads of a recomputed tile apart from outputs
    // that overwrite its input; and of the workgroups that count heads, the last one sees the sum.
    std::set<std::uint32_t> expected{R::kOpAtomicExchange, R::kOpAtomicCompareExchange,
                                     R::kOpAtomicOr};
    if (name.rfind("segmented_", 0) == 0) expected.insert(R::kOpAtomicIAdd);
    CHECK(ordered == expected);
  }
}

TEST_CASE("shaders: push constants are 32-bit words without holes, at most 128 bytes") {
  for (const Spirv* spirv : kAllShaders) {
    if (spirv->bytes == 0) continue;
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
    if (spirv->bytes == 0) continue;
    const std::string path = std::string(directory) + "/" + spirv->name + ".spv";
    std::FILE* file = std::fopen(path.c_str(), "wb");
    REQUIRE(file);
    const std::vector<std::uint32_t> words = words_of(*spirv);
    CHECK(std::fwrite(words.data(), 1, spirv->bytes, file) == spirv->bytes);
    std::fclose(file);
  }
}

}  // namespace vkprims::test
