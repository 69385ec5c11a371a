// What holds for every primitive: its name in labels and messages, and the refusal of a call
// without views.
#include "support/every_primitive.hpp"

#include "support/dry_device.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint64_t kCounts[] = {64, 1 << 22};  // for one workgroup, for many

bool begins_with(const std::string& text, const std::string& what) {
  return text.compare(0, what.size(), what) == 0;
}

// Calls `f` for every primitive at each of these counts.
template <class F>
void for_each_primitive(F&& f) {
  for (const std::uint64_t n : kCounts) {
    for (const AnyPrimitive& primitive : every_primitive(n)) {
      CAPTURE(primitive.name);
      CAPTURE(n);
      dry_log() = {};
      f(primitive);
      CHECK(dry_log().open_labels == 0);
      CHECK(dry_log().ended_too_often == 0);
    }
  }
}

}  // namespace

TEST_CASE("every primitive: all its commands lie in one label with its own name") {
  const Device d = dry_device();
  for_each_primitive([&](const AnyPrimitive& primitive) {
    const Status s = primitive.record(dry_commands(), d);
    CAPTURE(std::string(s.message()));
    CHECK(s);
    CHECK(dry_log().commands > 0);
    CHECK(dry_log().unlabelled == 0);
    REQUIRE(dry_log().labels.size() == 1);
    CHECK(dry_log().labels[0] == "vkprims " + primitive.name);
  });
}

TEST_CASE("every primitive: a call without views is told of the first one, not of its scratch") {
  const Device d = dry_device();
  for_each_primitive([&](const AnyPrimitive& primitive) {
    const Status s = primitive.record_nothing(dry_commands(), d);
    const std::string message = s.message();
    CAPTURE(message);
    CHECK(s == Status::invalid_argument);
    CHECK(begins_with(message, primitive.name + ": "));
    CHECK(message.find("scratch") == std::string::npos);
    CHECK(dry_log().commands == 0);
    CHECK(dry_log().labels.empty());
  });
}

TEST_CASE("every primitive: a pipeline that is missing or fails is reported under its name") {
  const Device cold = dry_device(PipelinePolicy::warmed_only);
  for_each_primitive([&](const AnyPrimitive& primitive) {
    const Status s = primitive.record(dry_commands(), cold);
    const std::string message = s.message();
    CAPTURE(message);
    CHECK(s == Status::not_warmed);
    CHECK(begins_with(message, primitive.name + ": shader "));
    CHECK(dry_log().commands == 0);
  });
  for_each_primitive([&](const AnyPrimitive& primitive) {
    dry_log().pipelines = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (const bool warms : {false, true}) {
      const Device fresh = dry_device();
      const Status s = warms ? primitive.warm_up(fresh) : primitive.record(dry_commands(), fresh);
      const std::string message = s.message();
      // warm_up() sees only the descriptor, whose type dropout_backward shares with dropout.
      const bool shared = warms && primitive.name == "dropout_backward";
      CAPTURE(message);
      CHECK(s == Status::out_of_memory);
      CHECK(begins_with(message, (shared ? "dropout" : primitive.name) + ": vkCreateCompute"));
    }
    CHECK(dry_log().commands == 0);
  });
}

TEST_CASE("every primitive: after warm_up() nothing is left to be compiled") {
  for_each_primitive([&](const AnyPrimitive& primitive) {
    const Device d = dry_device(PipelinePolicy::warmed_only);
    Status s = primitive.warm_up(d);
    if (s) s = primitive.record(dry_commands(), d);
    CAPTURE(std::string(s.message()));
    CHECK(s);
  });
}

TEST_CASE("every primitive: an empty device and a null command buffer are refused by its name") {
  const Device d = dry_device(), none;
  for_each_primitive([&](const AnyPrimitive& primitive) {
    for (const Status& s : {primitive.record(dry_commands(), none),
                            primitive.record(VK_NULL_HANDLE, d), primitive.warm_up(none)}) {
      const std::string message = s.message();
      CAPTURE(message);
      CHECK(s == Status::invalid_argument);
      const bool shared = primitive.name == "dropout_backward" &&
                          message.find("dropout: device") != std::string::npos;
      CHECK(begins_with(message, (shared ? "dropout" : primitive.name) + ": "));
    }
  });
}

}  // namespace vkprims::test
