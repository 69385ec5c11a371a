// Operations on strings that wait for a number which the GPU counts first.
#include <algorithm>

#include "split_columns.hpp"
#include "vkprims/reduce.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::strings {
namespace {

// Returns the number that the GPU counts where `count(recorder)` says, after waiting for it.
template <class Count>
std::uint64_t counted(Context& context, Count&& count) {
  Buffer<std::uint64_t> number;
  context.submit([&](Recorder& r) { number = count(r); });
  return context.download(number)[0];
}

template <class Offset>
StringColumn make_exactly(Context& context, const Buffer<std::uint8_t>& chars,
                          const Buffer<Offset>& offsets, const Buffer<std::uint32_t>& lengths,
                          std::uint32_t null_length) {
  const ViewBytesDesc desc{.null_length = null_length,
                           .offset_width = sizeof(Offset) == 8 ? IndexWidth::u64 : IndexWidth::u32};
  const std::uint64_t bytes = counted(context, [&](Recorder& r) {
    auto out = r.allocate<std::uint64_t>(1);
    r.step(view_bytes_scratch(r.device(), desc, lengths.size()),
           [&](VkCommandBuffer cmd, const Scratch& scratch) {
             return record_view_bytes(cmd, r.device(), desc,
                                      {.chars = chars.view(),
                                       .offsets = offsets.view(),
                                       .lengths = lengths.view(),
                                       .out = out.view(),
                                       .scratch = scratch});
           });
    return out;
  });
  StringColumn result;
  context.submit(
      [&](Recorder& r) { result = make_strings(r, chars, offsets, lengths, bytes, null_length); });
  return result;
}

Buffer<std::uint64_t> nulls_of(Recorder& r, const Buffer<std::uint32_t>& validity,
                               std::uint64_t rows) {
  auto out = r.allocate<std::uint64_t>(1);
  const NullCountDesc desc{.rows = rows};
  r.step(null_count_scratch(r.device(), desc), [&](VkCommandBuffer cmd, const Scratch& scratch) {
    return record_null_count(cmd, r.device(), desc,
                             {.validity = validity.size() ? validity.view() : BufferView{},
                              .out = out.view(),
                              .scratch = scratch});
  });
  return out;
}

// The number of tokens of the row that has the most of them, but at least 1.
std::uint32_t most_tokens(Context& context, const StringColumn& in, std::string_view delimiter) {
  const auto most = context.allocate<std::int32_t>(1);
  context.submit(
      [&](Recorder& r) { reduce(r, {.op = Op::max}, count_tokens(r, in, delimiter), most); });
  // The maximum of no rows is the least number that there is.
  return static_cast<std::uint32_t>(std::max(context.download(most)[0], std::int32_t{1}));
}

// The bytes of each column of split(). To find them out takes a pass over `in` for each column.
// That is not worth the wait if all columns have room for all of `in` within this size.
constexpr std::uint64_t kNotWorthCounting = std::uint64_t{1} << 20;

std::vector<std::uint64_t> bytes_of_columns(Context& context, const StringColumn& in,
                                            const SplitOptions& options, std::uint32_t columns) {
  std::vector<std::uint64_t> bytes(columns, in.byte_bound());
  if (columns == 0 || in.byte_bound() <= kNotWorthCounting / columns) return bytes;
  // A column without room for bytes reports how many bytes there are.
  const auto reports = context.upload(std::vector<DeviceReport>(columns));
  context.submit([&](Recorder& r) {
    const bool wide = in.byte_bound() > kMaxStringBytes;
    const auto offsets = r.allocate<std::uint32_t>((in.rows() + 1) * (wide ? 2 : 1));
    for (std::uint32_t i = 0; i < columns; ++i) {
      const SplitDesc desc = split_desc(in, options, i, columns);
      r.step(split_scratch(r.device(), desc, in.rows(), in.chars().size()),
             [&](VkCommandBuffer cmd, const Scratch& scratch) {
               return record_split(
                   cmd, r.device(), desc,
                   {.in = in.view(),
                    .out = {.offsets = offsets.view(),
                            .offset_width = wide ? IndexWidth::u64 : IndexWidth::u32},
                    .report = reports.slice(i, 1).view(),
                    .scratch = scratch});
             });
    }
  });
  const std::vector<DeviceReport> found = context.download(reports);
  for (std::uint32_t i = 0; i < columns; ++i) bytes[i] = found[i].needed;
  return bytes;
}

}  // namespace

std::vector<StringColumn> split(Context& context, const StringColumn& in,
                                const SplitOptions& options) {
  const std::uint32_t columns =
      options.max_columns ? *options.max_columns : most_tokens(context, in, options.delimiter);
  const std::vector<std::uint64_t> bytes = bytes_of_columns(context, in, options, columns);
  std::vector<StringColumn> result;
  context.submit([&](Recorder& r) { result = split_columns(r, in, options, bytes); });
  return result;
}

Buffer<std::uint64_t> gathered_bytes(Recorder& r, const StringColumn& in,
                                     const Buffer<std::uint32_t>& indices) {
  auto out = r.allocate<std::uint64_t>(1);
  r.step(gathered_bytes_scratch(r.device(), {}, indices.size()),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_gathered_bytes(
               cmd, r.device(), {},
               {.in = in.view(), .indices = indices.view(), .out = out.view(), .scratch = scratch});
         });
  return out;
}

StringColumn gather(Context& context, const StringColumn& in,
                    const Buffer<std::uint32_t>& indices) {
  const std::uint64_t bytes =
      counted(context, [&](Recorder& r) { return gathered_bytes(r, in, indices); });
  StringColumn result;
  context.submit([&](Recorder& r) { result = gather(r, in, indices, bytes); });
  return result;
}

StringColumn make_strings(Context& context, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint32_t>& offsets,
                          const Buffer<std::uint32_t>& lengths, std::uint32_t null_length) {
  return make_exactly(context, chars, offsets, lengths, null_length);
}
StringColumn make_strings(Context& context, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint64_t>& offsets,
                          const Buffer<std::uint32_t>& lengths, std::uint32_t null_length) {
  return make_exactly(context, chars, offsets, lengths, null_length);
}

Buffer<std::uint64_t> null_count(Recorder& r, const StringColumn& column) {
  return nulls_of(r, column.validity(), column.rows());
}
Buffer<std::uint64_t> null_count(Recorder& r, const BitColumn& column) {
  return nulls_of(r, column.validity, column.rows);
}
std::uint64_t null_count(Context& context, const StringColumn& column) {
  if (!column.nullable()) return 0;
  return counted(context, [&](Recorder& r) { return null_count(r, column); });
}
std::uint64_t null_count(Context& context, const BitColumn& column) {
  if (column.validity.size() == 0) return 0;
  return counted(context, [&](Recorder& r) { return null_count(r, column); });
}

}  // namespace vkprims::strings
