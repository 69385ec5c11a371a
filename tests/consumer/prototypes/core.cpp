// The core with the prototypes of the loader.
#include "../shared/checks.hpp"

int main() {
  App app;
  check_core(app);
}
