// Views of buffers, and sizes that are far out of range.
#include <limits>

#include "support/dry_device.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

constexpr VkDeviceSize kMost = std::numeric_limits<VkDeviceSize>::max();
constexpr VkDeviceSize kMemory = 4096;  // of every buffer of a dry device, at address 4096

VkBuffer some_buffer() { return (VkBuffer)std::uintptr_t{64}; }  // a pointer or an integer

}  // namespace

TEST_CASE("view: what the buffer's memory holds is given, and all else refused with the reason") {
  const Device d = dry_device();
  const struct {
    VkDeviceSize offset, bytes;
  } good[] = {{0, kMemory}, {0, 0}, {kMemory, 0}, {4, kMemory - 4}, {kMemory - 1, 1}};
  for (const auto& range : good) {
    BufferView result;
    CHECK(view(d, some_buffer(), range.offset, range.bytes, result));
    CHECK(result.address == 4096 + range.offset);
    CHECK(result.bytes == range.bytes);
    CHECK(view(d, some_buffer(), range.offset, range.bytes).address == result.address);
  }
  const auto refuse = [](const Device& device, VkBuffer buffer, VkDeviceSize offset,
                         VkDeviceSize bytes, std::initializer_list<const char*> words) {
    BufferView result{1, 1};
    Scratch scratch{.bytes = 1};
    const Status of_view = view(device, buffer, offset, bytes, result);
    const Status of_scratch = scratch_view(device, buffer, offset, bytes, scratch);
    CHECK(result.address == 0);
    CHECK(result.bytes == 0);
    CHECK(scratch.bytes == 0);
    CHECK(view(device, buffer, offset, bytes).bytes == 0);
    CHECK(scratch_view(device, buffer, offset, bytes).bytes == 0);
    CHECK(std::string(of_view.message()).compare(0, 6, "view: ") == 0);
    CHECK(std::string(of_scratch.message()).compare(0, 14, "scratch_view: ") == 0);
    for (const Status& status : {of_view, of_scratch}) {
      const std::string message = status.message();
      CAPTURE(message);
      CHECK(status == Status::invalid_argument);
      for (const char* word : words) CHECK(message.find(word) != std::string::npos);
    }
  };
  refuse({}, some_buffer(), 0, 4, {"device is empty"});
  refuse(d, VK_NULL_HANDLE, 0, 4, {"buffer is null"});
  refuse(d, some_buffer(), 0, VK_WHOLE_SIZE, {"VK_WHOLE_SIZE"});
  refuse(d, some_buffer(), 0, kMemory + 1, {"bytes is 4097", "has 4096"});
  refuse(d, some_buffer(), 4, kMemory, {"offset is 4 ", "bytes is 4096"});
  refuse(d, some_buffer(), kMemory + 1, 0, {"offset is 4097"});
  refuse(d, some_buffer(), kMost, 2, {"offset is 18446744073709551615"});
  refuse(d, some_buffer(), 2, kMost - 1, {"bytes is 18446744073709551614"});
}

TEST_CASE("view: a buffer of this device has no view beyond its memory") {
  const Device& d = device();
  const auto buffer = context().allocate<std::uint32_t>(1000);
  CHECK(view(d, buffer.handle(), 0, 4000).address == buffer.view().address);
  // Commands of the application find the range in its buffer.
  const auto same = [&](const BufferView& a, VkDeviceSize offset, VkDeviceSize bytes) {
    return a.buffer == buffer.handle() && a.offset == offset && a.bytes == bytes &&
           a.address == buffer.address() + offset;
  };
  CHECK(same(view(d, buffer.handle(), 8, 400), 8, 400));
  CHECK(same(buffer.view(), 0, 4000));
  CHECK(same(buffer.slice(5, 100).slice(2, 10).view(), 28, 40));
  CHECK(view(d, buffer.handle(), 0, VK_WHOLE_SIZE).address == 0);
  CHECK(view(d, buffer.handle(), 0, VkDeviceSize{1} << 40).address == 0);
  CHECK(view(d, buffer.handle(), VkDeviceSize{1} << 40, 4).address == 0);
}

TEST_CASE("scratch_max: the most bytes and the largest alignment, of any number of needs") {
  static_assert(scratch_max({}).bytes == 0 && scratch_max({}).alignment == 16);
  constexpr ScratchNeed most = scratch_max({{100, 16}, {40, 64}, {}, {7, 16}});
  CHECK(most.bytes == 100);
  CHECK(most.alignment == 64);
}

TEST_CASE("view: scratch that an arena hands out lies within its block, whatever is asked for") {
  const VkDeviceAddress at = 4100;  // not a multiple of the required alignment
  ScratchArena arena({some_buffer(), 100, at, 1000});
  Scratch scratch;
  CHECK(arena.take({.bytes = 100, .alignment = 16}, scratch));
  CHECK(scratch.address == 4112);
  CHECK(scratch.offset == 112);
  CHECK(arena.used() == 112);
  CHECK(arena.take({.bytes = 1, .alignment = 0}, scratch));
  CHECK(arena.take({.bytes = 887, .alignment = 1}, scratch));
  CHECK(arena.used() == arena.capacity());
  arena.reset();
  for (const ScratchNeed need :
       {ScratchNeed{1001, 1}, ScratchNeed{kMost, 1}, ScratchNeed{kMost, 16},
        ScratchNeed{1, VkDeviceSize{1} << 63}, ScratchNeed{1, kMost}}) {
    CHECK(arena.take(need, scratch) == Status::out_of_memory);
    CHECK(arena.used() == 0);
  }
  ScratchArena last({some_buffer(), 0, kMost - 7, 8});  // up to the end of all addresses
  CHECK(last.take({.bytes = 8, .alignment = 8}, scratch));
  last.reset();
  CHECK(last.take({.bytes = 1, .alignment = 16}, scratch) == Status::out_of_memory);
}

TEST_CASE("view: a size that overflows is not taken for a small one") {
  const Device d = dry_device();
  const BufferView all{1 << 20, kMost - (2 << 20)}, small{1 << 20, 1 << 20};
  const auto refused = [&](std::initializer_list<const char*> words, const Status& status) {
    const std::string message = status.message();
    CAPTURE(message);
    CHECK(status == Status::invalid_argument);
    for (const char* word : words) CHECK(message.find(word) != std::string::npos);
  };
  // Rows are as far apart as a pitch can say: 2^32 of them end past all addresses.
  DropoutDesc dropout{.count = 0xffffffff, .columns = 1};
  dropout.in_pitch = dropout.out_pitch = 0xffffffff;
  refused({"dropout: in.bytes"},
          record_dropout(dry_commands(), d, dropout, {.in = small, .out = small}));
  refused({"dropout: in", "count"},
          record_dropout(dry_commands(), d, dropout, {.in = all, .out = all}));
  // These views claim to hold everything.
  refused({"ends past the address space"},
          record_copy(dry_commands(), d, {.count = 64},
                      {.in = {kMost - 127, kMost}, .out = {4096, kMost}}));
  const StringColumnView column{.offsets = small, .chars = {4096, kMost}, .rows = 64};
  refused({"strings::strip: in.chars ends past"},
          strings::record_strip(dry_commands(), d, {}, {.in = column}));
  refused({"strings::from_views: lengths.bytes is 18446744073709551615"},
          strings::record_from_views(dry_commands(), d, {}, {.lengths = {4096, kMost}}));
  refused({"strings::gather: count is"},
          strings::record_gather(dry_commands(), d, {}, {.in = column, .indices = {4096, kMost}}));
}

TEST_CASE("view: no scratch is asked for by strings of more rows than there may be") {
  const Device d = dry_device();
  for (const std::uint64_t rows : {kMaxStringRows + 1, std::uint64_t{1} << 62, kMost}) {
    CAPTURE(rows);
    CHECK(strings::argsort_scratch(d, {}, rows, 0).bytes == 0);
    CHECK(strings::change_case_scratch(d, {}, rows, 1).bytes == 0);
    CHECK(strings::concatenate_scratch(d, {}, 2, rows).bytes == 0);
    CHECK(strings::copy_if_else_scratch(d, {}, rows).bytes == 0);
    CHECK(strings::dictionary_encode_scratch(d, {}, rows, 0).bytes == 0);
    CHECK(strings::from_views_scratch(d, {}, rows).bytes == 0);
    CHECK(strings::gather_scratch(d, {}, rows).bytes == 0);
    CHECK(strings::null_count_scratch(d, {.rows = rows}).bytes == 0);
    CHECK(strings::select_scratch(d, {}, rows).bytes == 0);
    CHECK(strings::slice_scratch(d, {}, rows, 1).bytes == 0);
    CHECK(strings::split_scratch(d, {}, rows, 1).bytes == 0);
    CHECK(strings::strip_scratch(d, {}, rows, 1).bytes == 0);
  }
  CHECK(strings::concatenate_scratch(d, {}, kMost, 64).bytes == 0);
}

}  // namespace vkprims::test
