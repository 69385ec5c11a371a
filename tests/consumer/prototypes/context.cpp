// Checks a Context of its own, and another one on the device of the application.
#include "../shared/app.hpp"
#include "../shared/context_checks.hpp"

int main() try {
  vkprims::Context own;
  check_context(own);

  App app;
  vkprims::Adopt adopt;
  adopt.instance = app.instance;
  adopt.physical_device = app.physical;
  adopt.device = app.device;
  adopt.queue = app.queue;
  adopt.queue_family = app.family;
  adopt.get_instance_proc_addr = vkGetInstanceProcAddr;
  adopt.enabled = app.features;
  vkprims::Context adopted(adopt);
  check_context(adopted);
  check_context(own);
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "FAILED: %s\n", error.what());
  return 1;
}
