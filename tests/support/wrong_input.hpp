// Wrong input to a record function: every change of a good call must be refused with a message that
// names it.
#pragma once

#include "support/support.hpp"

namespace vkprims::test {

template <class Desc, class Buffers>
class WrongInput {
 public:
  using Record = Status (*)(VkCommandBuffer, const Device&, const Desc&, const Buffers&);

  /// `good` is a call that would be recorded.
  WrongInput(const Device& d, Record record, const Desc& good, const Buffers& good_buffers)
      : device_(d), record_(record), good_(good), good_buffers_(good_buffers) {}

  /// Checks that the call is refused, with a message that has all `words`, after change_desc(desc)
  /// and change_buffers(buffers).
  void both(std::initializer_list<const char*> words, FunctionRef<void(Desc&)> change_desc,
            FunctionRef<void(Buffers&)> change_buffers) const {
    Desc desc = good_;
    Buffers buffers = good_buffers_;
    change_desc(desc);
    change_buffers(buffers);
    expect_error(Status::invalid_argument, words,
                 [&](VkCommandBuffer cmd) { return record_(cmd, device_, desc, buffers); });
  }
  void desc(std::initializer_list<const char*> words, FunctionRef<void(Desc&)> change) const {
    both(words, change, [](Buffers&) {});
  }
  void buffers(std::initializer_list<const char*> words, FunctionRef<void(Buffers&)> change) const {
    both(
        words, [](Desc&) {}, change);
  }

  /// Checks what every primitive refuses.
  void anywhere() const {
    expect_error(Status::invalid_argument, {"cmd", "null"}, [&](VkCommandBuffer) {
      return record_(VK_NULL_HANDLE, device_, good_, good_buffers_);
    });
    expect_error(Status::invalid_argument, {"device", "empty"},
                 [&](VkCommandBuffer cmd) { return record_(cmd, Device(), good_, good_buffers_); });
    if constexpr (requires(Desc x) { x.count = Count(); }) {
      desc({"count is 274877906945", "274877906944"}, [](Desc& x) { x.count = kMaxCount + 1; });
      desc({"count.width", "9"}, [](Desc& x) { x.count.width = CountWidth(9); });
      desc({"count.address", "multiple of 8"}, [](Desc& x) {
        x.count = {x.count.max, 0x1004, CountWidth::u64};
      });
    }
    if constexpr (requires(Desc x) { x.type = Type::u32; }) {
      desc({"type is 17"}, [](Desc& x) { x.type = Type(17); });
    }
  }

  /// Checks what every primitive with scratch refuses; `query` is the name of its size query.
  void scratch(const char* query) const {
    buffers({"scratch.bytes is", query}, [](Buffers& x) { x.scratch.bytes -= 1; });
    buffers({"scratch.buffer is null"}, [](Buffers& x) { x.scratch.buffer = VK_NULL_HANDLE; });
    buffers({"scratch.address", "multiple of 16"}, [](Buffers& x) {
      x.scratch.address += 4, x.scratch.offset += 4, x.scratch.bytes += 16;
    });
  }

 private:
  const Device& device_;
  Record record_;
  Desc good_;
  Buffers good_buffers_;
};

/// Checks that a device without 64-bit types refuses them by name; `call(cmd, device, type)`
/// records.
inline void check_refused_types(FunctionRef<Status(VkCommandBuffer, const Device&, Type)> call) {
  DeviceInfo info = device().state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = info.enabled.float64 = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  for (const Type type : {Type::u64, Type::i64, Type::f64}) {
    expect_error(Status::unsupported, {name_of(type), type == Type::f64 ? "float64" : "int64"},
                 [&](VkCommandBuffer cmd) { return call(cmd, narrow, type); });
  }
}

}  // namespace vkprims::test
