// The renderer's commands have no hazards, and the library's hazard checker sees those that there
// are without a barrier.
//
// The checker sees what is done to buffers, in the order of submission: by calls of the library, by
// kernels of the renderer, as frame_plan.cpp lists what they read and write (lists_test.cpp), and
// by the renderer's own commands (own_commands.cpp). It does not see images, what the host does,
// nor what happens inside of a dispatch.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "generators.hpp"
#include "own_commands.hpp"
#include "renderer.hpp"
#include "support/spy.hpp"

namespace scene2d {
namespace {

using vkprims::test::spy;

// A device under observation.
class WatchedGpu : public Gpu {
 public:
  WatchedGpu() : Gpu({.get_instance_proc_addr = vkprims::test::spying_get_instance_proc_addr}) {
    vkprims::test::observe(prims());
    watch_own_commands(device());
  }
};

Scene small_scene() { return scaled_to(generate("tree", 400), 96); }

}  // namespace

TEST_CASE("hazards: frames in flight have none, with one picture in a command buffer or two") {
  WatchedGpu gpu;
  for (const std::uint32_t repeat : {1u, 2u}) {
    CAPTURE(repeat);
    Renderer renderer(gpu, {.repeat = repeat});
    renderer.render(small_scene());
    spy().clear();
    renderer.submit(small_scene());
    for (int i = 0; i < 3; ++i) {
      renderer.submit(small_scene());
      renderer.wait();
    }
    renderer.wait();
    CHECK(spy().hazards.hazards() == "");
    CHECK(spy().hazards.commands() > 4 * repeat * 40);
  }
}

TEST_CASE("hazards: a barrier of a frame that is left out is noticed") {
  WatchedGpu gpu;
  for (const std::uint64_t n : {1u << 12, 1u << 18}) {
    CAPTURE(n);
    Renderer renderer(gpu, {.room = {.lines = n, .edges = n, .pairs = n, .crossings = n}});
    const auto hazards_without = [&](int barrier) {
      spy().clear();
      spy().skip_barrier = barrier;
      renderer.submit(small_scene());
      renderer.wait();
      return spy().hazards.hazards();
    };
    // The memory of both frames in flight is filled before frames are recorded only.
    CHECK(hazards_without(-1) == "");
    CHECK(hazards_without(-1) == "");
    const int barriers = spy().barriers;
    int unnoticed = 0;
    std::string noticed;
    for (int i = 0; i < barriers; ++i) {
      const std::string hazards = hazards_without(i);
      unnoticed += hazards.empty();
      noticed += hazards;
    }
    // A few steps use nothing of the one before, and the last barrier is for the host.
    CHECK(5 * unnoticed < barriers);
    CHECK(noticed.find("vkCmdDispatch reads") != std::string::npos);
    CHECK(noticed.find("vkCmdDrawIndirect reads") != std::string::npos);
  }
}

}  // namespace scene2d
