// A variant that VKPRIMS_VARIANTS does not list is refused when a pipeline is asked for.
#include <cstring>

#include "../shared/app.hpp"
#include "vkprims/reduce.hpp"

int main() {
  App app;
  if (!app.features.int64) return 0;  // it is refused for another reason
  const vkprims::ReduceDesc desc{.type = vkprims::Type::u64, .count = 5};
  const vkprims::Status status = vkprims::warm_up(app.prims, desc);
  check(status == vkprims::Status::unsupported, "a variant that was left out is not refused");
  check(std::strstr(status.message(), "VKPRIMS_VARIANTS") != nullptr, status.message());
  const Memory in = app.allocate(64);
  const Memory out = app.allocate(8);
  app.run([&](VkCommandBuffer cmd) {
    const vkprims::Status recorded =
        vkprims::record_reduce(cmd, app.prims, desc, {.in = app.view(in), .out = app.view(out)});
    check(recorded == vkprims::Status::unsupported, "record_reduce does not refuse it");
  });
  check(vkprims::warm_up(app.prims, vkprims::ReduceDesc{.count = 5}));
}
