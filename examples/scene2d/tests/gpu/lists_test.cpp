// What frame_plan.cpp says that kernels read and write is what their modules do. The hazard checker
// believes it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <set>

#include "generators.hpp"
#include "own_commands.hpp"
#include "renderer.hpp"
#include "runtime/device_state.hpp"
#include "scene2d/cell_edges.hpp"
#include "scene2d/classify.hpp"
#include "scene2d/clip_values.hpp"
#include "scene2d/crossings.hpp"
#include "scene2d/decode.hpp"
#include "scene2d/edge_counts.hpp"
#include "scene2d/edges.hpp"
#include "scene2d/fine.hpp"
#include "scene2d/items.hpp"
#include "scene2d/line_counts.hpp"
#include "scene2d/lines.hpp"
#include "scene2d/pair_counts.hpp"
#include "scene2d/pairs.hpp"
#include "scene2d/places.hpp"
#include "scene2d/segment_boxes.hpp"

namespace scene2d {
namespace {

constexpr const vkprims::Kernel* kKernels[] = {
    &cell_edges::kernel, &classify::kernel,    &clip_values::kernel,  &crossings::kernel,
    &decode::kernel,     &edge_counts::kernel, &edges::kernel,        &fine::kernel,
    &items::kernel,      &line_counts::kernel, &lines::kernel,        &pair_counts::kernel,
    &pairs::kernel,      &places::kernel,      &segment_boxes::kernel};

// Arrays by their number in Frame, which begins with the addresses of all.
using Arrays = std::set<std::size_t>;
constexpr std::size_t kArrays = offsetof(Frame, words) / sizeof(std::uint64_t);
struct Uses {
  Arrays reads, writes;
};

// Follows the pointers of a module from Frame to the loads and stores.
class ModuleReader {
 public:
  explicit ModuleReader(const vkprims::Spirv& spirv) {
    const std::vector<std::uint32_t> words = vkprims::words_of(spirv);
    for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
      look_at(words[at] & 0xffff, words.data() + at + 1, (words[at] >> 16) - 1);
    }
  }
  const Uses& uses() const { return uses_; }

 private:
  using Id = std::uint32_t;
  enum : std::uint32_t {  // from the SPIR-V specification
    kTypeStruct = 30,
    kTypePointer = 32,
    kConstant = 43,
    kVariable = 59,
    kLoad = 61,
    kStore = 62,
    kAccessChain = 65,
    kInBoundsAccessChain = 66,
    kCompositeExtract = 81,
    kAtomicLoad = 227,
    kAtomicStore = 228,
    kLastAtomic = 242,
    kCopyLogical = 400,
  };

  void look_at(std::uint32_t op, const Id* w, std::size_t size) {
    if (op == kTypeStruct) {
      if (size > kArrays) frames_.insert(w[0]);
      if (size == 2 && frames_.count(w[1])) blocks_.insert(w[0]);
    } else if (op == kTypePointer) {
      if (frames_.count(w[2])) to_frames_.insert(w[0]);
      if (blocks_.count(w[2])) to_blocks_.insert(w[0]);
    } else if (op == kConstant) {
      constants_[w[1]] = w[2];
    } else if (op == kVariable || op == kCopyLogical) {
      types_[w[1]] = w[0];
    } else if (op == kAccessChain || op == kInBoundsAccessChain) {
      follow_chain(w, size);
    } else if (op == kCompositeExtract) {
      if (frames_.count(types_[w[2]])) arrays_[w[1]] = w[3];
    } else {
      look_at_access(op, w);
    }
  }

  void follow_chain(const Id* w, std::size_t size) {
    types_[w[1]] = w[0];
    if (to_frames_.count(types_[w[2]])) members_[w[1]] = constants_[w[3]];
    if (to_blocks_.count(types_[w[2]]) && size > 4) members_[w[1]] = constants_[w[4]];
    if (arrays_.count(w[2])) arrays_[w[1]] = arrays_[w[2]];
  }

  void look_at_access(std::uint32_t op, const Id* w) {
    if (op == kLoad || op == kAtomicLoad) {
      types_[w[1]] = w[0];
      if (members_.count(w[2])) arrays_[w[1]] = members_[w[2]];
      if (arrays_.count(w[2])) uses_.reads.insert(arrays_[w[2]]);
    } else if (op == kStore || op == kAtomicStore) {
      if (arrays_.count(w[0])) uses_.writes.insert(arrays_[w[0]]);
    } else if (op > kAtomicStore && op <= kLastAtomic) {
      if (arrays_.count(w[2])) uses_.writes.insert(arrays_[w[2]]);
    }
  }

  std::set<Id> frames_, blocks_, to_frames_, to_blocks_;  // types: Frame, a struct of it, pointers
  std::map<Id, Id> types_;
  std::map<Id, std::uint32_t> constants_;
  std::map<Id, std::size_t> members_;  // pointers to members of Frame
  std::map<Id, std::size_t> arrays_;   // pointers into arrays
  Uses uses_;
};

// What calls say of themselves while a frame is recorded.
struct Listed {
  std::string call;
  std::map<std::string, std::vector<vkprims::Access>> accesses;

  static void on_record(void* self, VkCommandBuffer, const char* call, bool) {
    static_cast<Listed*>(self)->call = call;
  }
  static void on_command(void* self, VkCommandBuffer, const vkprims::RecordedCommand& command) {
    auto& all = static_cast<Listed*>(self)->accesses[static_cast<Listed*>(self)->call];
    all.insert(all.end(), command.accesses, command.accesses + command.count);
  }

  Uses uses_of(const std::string& name, const Frame& frame) const {
    std::uint64_t addresses[kArrays];
    std::memcpy(addresses, &frame, sizeof addresses);
    Uses uses;
    for (const vkprims::Access& access : accesses.at(name)) {
      const auto* const found = std::find(addresses, addresses + kArrays, access.view.address);
      const auto array = static_cast<std::size_t>(found - addresses);
      if (array < kArrays) (access.writes ? uses.writes : uses.reads).insert(array);
    }
    return uses;
  }
};

std::string text_of(const Arrays& arrays) {
  std::string text;
  for (const std::size_t array : arrays) text += " " + std::to_string(array);
  return text;
}

}  // namespace

TEST_CASE("hazards: kernels read and write what the plan of a frame says") {
  Listed listed;
  Gpu gpu({.on_record = {Listed::on_record, &listed}});
  watch_own_commands(gpu.device());
  gpu.prims().state()->observer = {Listed::on_command, &listed};
  Renderer renderer(gpu, {});
  renderer.submit(scaled_to(generate("tree", 400), 96));
  renderer.wait();
  for (const vkprims::Kernel* kernel : kKernels) {
    const std::string name = kernel->name;
    CAPTURE(name);
    const Uses said = listed.uses_of(name, renderer.arrays().frame());
    Uses done = ModuleReader(*kernel->spirv).uses();
    CHECK(text_of(said.writes) == text_of(done.writes));
    for (const std::size_t array : done.writes) done.reads.erase(array);
    // There is room for 15 that are read.
    if (done.reads.size() <= 15) CHECK(text_of(said.reads) == text_of(done.reads));
    CHECK(
        std::includes(done.reads.begin(), done.reads.end(), said.reads.begin(), said.reads.end()));
    listed.accesses.erase(name);
  }
  for (const auto& [call, accesses] : listed.accesses) {
    CAPTURE(call);
    CHECK(call.rfind("scene2d::", 0) == std::string::npos);  // a kernel that is not above
  }
}

}  // namespace scene2d
