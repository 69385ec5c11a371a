#include "../shared/checks.hpp"

int main() {
  App app;
  check_core(app);
}
