// Operations on columns of strings that a Recorder records.
#include "vkprims/strings.hpp"

#include <algorithm>

#include "split_columns.hpp"
#include "string_result.hpp"

namespace vkprims::strings {
namespace {

BitColumn match(Recorder& r, const StringColumn& in, const StringColumn* targets, Match match,
                std::string_view text) {
  const MatchDesc desc{.match = match,
                       .of_column = targets != nullptr,
                       .text = text,
                       .longest_row_bytes = in.longest_row_bytes()};
  const std::uint64_t words = (in.rows() + 31) / 32;
  BitColumn result{.bits = r.allocate<std::uint32_t>(words), .validity = {}, .rows = in.rows()};
  if (in.nullable()) result.validity = r.allocate<std::uint32_t>(words);
  r.step(match_scratch(r.device(), desc, in.chars().size()), [&](VkCommandBuffer cmd,
                                                                 const Scratch& scratch) {
    return record_match(cmd, r.device(), desc,
                        {.in = in.view(),
                         .targets = targets ? targets->view() : StringColumnView{},
                         .out = result.bits.view(),
                         .validity = result.validity.size() ? result.validity.view() : BufferView{},
                         .scratch = scratch});
  });
  return result;
}

Buffer<std::int32_t> number(Recorder& r, const StringColumn& in, FindDesc desc) {
  desc.longest_row_bytes = in.longest_row_bytes();
  auto out = r.allocate<std::int32_t>(in.rows());
  r.step(find_scratch(r.device(), desc, in.chars().size()),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_find(cmd, r.device(), desc,
                              {.in = in.view(), .out = out.view(), .scratch = scratch});
         });
  return out;
}

StringColumn choose(Recorder& r, const StringColumn* a, const StringColumn* b, CopyIfElseDesc desc,
                    const BitColumn& mask) {
  const std::uint64_t bytes = (a ? a->byte_bound() : desc.a_text.size() * mask.rows) +
                              (b ? b->byte_bound() : desc.b_text.size() * mask.rows);
  const auto row_bytes = [](const StringColumn* column, std::string_view text) {
    return column ? column->row_bytes() : static_cast<std::uint32_t>(text.size());
  };
  desc.row_bytes = std::max(row_bytes(a, desc.a_text), row_bytes(b, desc.b_text));
  desc.longest_row_bytes = longest_row_of({a, b});
  Result result(r, mask.rows, bytes, (a && a->nullable()) || (b && b->nullable()), desc.row_bytes);
  if (desc.longest_row_bytes) {
    result.longest_row_bytes =
        std::max<std::uint64_t>({desc.longest_row_bytes, desc.a_text.size(), desc.b_text.size()});
  }
  r.step(copy_if_else_scratch(r.device(), desc, mask.rows),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_copy_if_else(cmd, r.device(), desc,
                                      {.a = a ? a->view() : StringColumnView{},
                                       .b = b ? b->view() : StringColumnView{},
                                       .mask = mask.view(),
                                       .out = result.out(),
                                       .scratch = scratch});
         });
  return std::move(result).column();
}

// About how many bytes a row of a slice has: characters have a byte or two.
std::uint32_t slice_bytes(const StringColumn& in, const SliceDesc& desc) {
  const std::int32_t start = desc.start.value_or(0), stop = desc.stop.value_or(-1);
  if (start < 0 || stop < start) return in.row_bytes();
  return std::clamp<std::uint32_t>(2 * static_cast<std::uint32_t>(stop - start), 1,
                                   std::max(in.row_bytes(), 1u));
}

StringColumn slice_by(Recorder& r, const StringColumn& in, SliceDesc desc, const BufferView& starts,
                      const BufferView& stops) {
  desc.longest_row_bytes = longest_row_of({&in}, desc.longest_row_bytes);
  Result result(r, in.rows(), in.byte_bound(), in.nullable(), slice_bytes(in, desc));
  r.step(slice_scratch(r.device(), desc, in.rows(), in.chars().size()),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_slice(cmd, r.device(), desc,
                               {.in = in.view(),
                                .starts = starts,
                                .stops = stops,
                                .out = result.out(),
                                .scratch = scratch});
         });
  result.longest_row_bytes = in.longest_row_bytes();
  return std::move(result).column();
}

StringColumn change_case(Recorder& r, const StringColumn& in, Case to) {
  const ChangeCaseDesc desc{.to = to, .longest_row_bytes = in.longest_row_bytes()};
  Result result(r, in.rows(), kMostCaseGrowth * in.byte_bound(), in.nullable(), in.row_bytes());
  result.longest_row_bytes = kMostCaseGrowth * in.longest_row_bytes();
  r.step(change_case_scratch(r.device(), desc, in.rows(), in.chars().size()),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_change_case(cmd, r.device(), desc,
                                     {.in = in.view(), .out = result.out(), .scratch = scratch});
         });
  return std::move(result).column();
}

// `count` is the address of a u64, or 0.

template <class Offset>
StringColumn make_of(Recorder& r, const Buffer<std::uint8_t>& chars, const Buffer<Offset>& offsets,
                     const Buffer<std::uint32_t>& lengths, std::uint64_t byte_bound,
                     std::uint32_t null_length) {
  const FromViewsDesc desc{.null_length = null_length,
                           .offset_width = sizeof(Offset) == 8 ? IndexWidth::u64 : IndexWidth::u32};
  Result result(r, lengths.size(), byte_bound, true);
  r.step(from_views_scratch(r.device(), desc, lengths.size()),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_from_views(cmd, r.device(), desc,
                                    {.chars = chars.view(),
                                     .offsets = offsets.view(),
                                     .lengths = lengths.view(),
                                     .out = result.out(),
                                     .scratch = scratch});
         });
  return std::move(result).column();
}

}  // namespace

BitColumn contains(Recorder& r, const StringColumn& in, std::string_view text) {
  return match(r, in, nullptr, Match::contains, text);
}
BitColumn starts_with(Recorder& r, const StringColumn& in, std::string_view text) {
  return match(r, in, nullptr, Match::starts_with, text);
}
BitColumn ends_with(Recorder& r, const StringColumn& in, std::string_view text) {
  return match(r, in, nullptr, Match::ends_with, text);
}
BitColumn contains(Recorder& r, const StringColumn& in, const StringColumn& targets) {
  return match(r, in, &targets, Match::contains, {});
}
BitColumn starts_with(Recorder& r, const StringColumn& in, const StringColumn& targets) {
  return match(r, in, &targets, Match::starts_with, {});
}
BitColumn ends_with(Recorder& r, const StringColumn& in, const StringColumn& targets) {
  return match(r, in, &targets, Match::ends_with, {});
}

Buffer<std::int32_t> find(Recorder& r, const StringColumn& in, std::string_view text,
                          std::uint32_t start, std::optional<std::uint32_t> stop) {
  return number(r, in, {.number = StringNumber::find, .text = text, .start = start, .stop = stop});
}
Buffer<std::int32_t> rfind(Recorder& r, const StringColumn& in, std::string_view text,
                           std::uint32_t start, std::optional<std::uint32_t> stop) {
  return number(r, in, {.number = StringNumber::rfind, .text = text, .start = start, .stop = stop});
}
Buffer<std::int32_t> count_characters(Recorder& r, const StringColumn& in) {
  return number(r, in, {.number = StringNumber::count_characters});
}
Buffer<std::int32_t> count_bytes(Recorder& r, const StringColumn& in) {
  return number(r, in, {.number = StringNumber::count_bytes});
}
Buffer<std::int32_t> count(Recorder& r, const StringColumn& in, std::string_view text) {
  return number(r, in, {.number = StringNumber::count, .text = text});
}
Buffer<std::int32_t> count_tokens(Recorder& r, const StringColumn& in, std::string_view delimiter) {
  return number(r, in, {.number = StringNumber::count_tokens, .text = delimiter});
}

StringColumn copy_if_else(Recorder& r, const StringColumn& a, const StringColumn& b,
                          const BitColumn& mask) {
  return choose(r, &a, &b, {}, mask);
}
StringColumn copy_if_else(Recorder& r, const StringColumn& a, std::string_view b,
                          const BitColumn& mask) {
  return choose(r, &a, nullptr, {.b_is_scalar = true, .b_text = b}, mask);
}
StringColumn copy_if_else(Recorder& r, std::string_view a, const StringColumn& b,
                          const BitColumn& mask) {
  return choose(r, nullptr, &b, {.a_is_scalar = true, .a_text = a}, mask);
}

StringColumn slice(Recorder& r, const StringColumn& in, const SliceDesc& desc) {
  return slice_by(r, in, desc, {}, {});
}
StringColumn slice(Recorder& r, const StringColumn& in, const Buffer<std::int32_t>& starts,
                   const Buffer<std::int32_t>& stops) {
  return slice_by(r, in, {.per_row = true}, starts.size() ? starts.view() : BufferView{},
                  stops.size() ? stops.view() : BufferView{});
}

StringColumn strip(Recorder& r, const StringColumn& in, const StripDesc& options) {
  StripDesc desc = options;
  desc.longest_row_bytes = longest_row_of({&in}, desc.longest_row_bytes);
  Result result(r, in.rows(), in.byte_bound(), in.nullable(), in.row_bytes());
  r.step(strip_scratch(r.device(), desc, in.rows(), in.chars().size()),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_strip(cmd, r.device(), desc,
                               {.in = in.view(), .out = result.out(), .scratch = scratch});
         });
  result.longest_row_bytes = in.longest_row_bytes();
  return std::move(result).column();
}

StringColumn to_upper(Recorder& r, const StringColumn& in) {
  return change_case(r, in, Case::upper);
}
StringColumn to_lower(Recorder& r, const StringColumn& in) {
  return change_case(r, in, Case::lower);
}

SplitDesc split_desc(const StringColumn& in, const SplitOptions& options, std::uint32_t column,
                     std::size_t columns) {
  return {.delimiter = options.delimiter,
          .token = column,
          .rest = options.rest && column + 1 == columns,
          .row_bytes = in.row_bytes(),
          .longest_row_bytes = in.longest_row_bytes()};
}

std::vector<StringColumn> split_columns(Recorder& r, const StringColumn& in,
                                        const SplitOptions& options,
                                        std::span<const std::uint64_t> bytes) {
  std::vector<StringColumn> columns;
  const auto parts = static_cast<std::uint32_t>(std::max<std::size_t>(bytes.size(), 2));
  const std::uint32_t token_bytes = in.row_bytes() / parts + 1;
  for (std::uint32_t i = 0; i < bytes.size(); ++i) {
    const SplitDesc desc = split_desc(in, options, i, bytes.size());
    Result result(r, in.rows(), bytes[i], true, token_bytes);
    r.step(split_scratch(r.device(), desc, in.rows(), in.chars().size()),
           [&](VkCommandBuffer cmd, const Scratch& scratch) {
             return record_split(cmd, r.device(), desc,
                                 {.in = in.view(), .out = result.out(), .scratch = scratch});
           });
    result.longest_row_bytes = in.longest_row_bytes();
    columns.push_back(std::move(result).column());
  }
  return columns;
}

std::vector<StringColumn> split(Recorder& r, const StringColumn& in, const SplitOptions& options) {
  if (!options.max_columns) {
    throw Error(Status::error(Status::invalid_argument,
                              "strings::split: max_columns is not given: say how many columns are "
                              "to come out, or call split(Context&, …), which counts the tokens"));
  }
  const std::vector<std::uint64_t> bytes(*options.max_columns, in.byte_bound());
  return split_columns(r, in, options, bytes);
}

StringColumn concatenate(Recorder& r, Columns columns, const ConcatenateDesc& options) {
  ConcatenateDesc desc = options;
  std::vector<StringColumnView> views;
  std::vector<const StringColumn*> all;
  const std::uint64_t rows = columns.size() ? columns.begin()->get().rows() : 0;
  std::uint64_t bytes = columns.size() ? (columns.size() - 1) * desc.separator.size() * rows : 0;
  std::uint64_t row_bytes = columns.size() ? (columns.size() - 1) * desc.separator.size() : 0;
  bool nullable = false;
  for (const StringColumn& column : columns) {
    views.push_back(column.view());
    all.push_back(&column);
    row_bytes += column.row_bytes();
    bytes += column.byte_bound();
    if (!column.nullable()) continue;
    nullable |= !desc.null_replacement;
    bytes += desc.null_replacement.value_or("").size() * rows;
  }
  desc.longest_row_bytes = longest_row_of(all, desc.longest_row_bytes);
  if (desc.row_bytes == 0) {
    desc.row_bytes = static_cast<std::uint32_t>(std::min(row_bytes, kMaxStringBytes));
  }
  Result result(r, rows, bytes, nullable, desc.row_bytes);
  if (desc.longest_row_bytes) {
    const std::uint64_t longest =
        std::max<std::uint64_t>(desc.longest_row_bytes, desc.null_replacement.value_or("").size());
    result.longest_row_bytes = views.size() * (longest + desc.separator.size());
  }
  r.step(concatenate_scratch(r.device(), desc, views.size(), rows),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_concatenate(cmd, r.device(), desc,
                                     {.columns = views, .out = result.out(), .scratch = scratch});
         });
  return std::move(result).column();
}

DictionaryColumn dictionary_encode(Recorder& r, const StringColumn& in,
                                   const DictionaryOptions& options) {
  const std::uint64_t rows = in.rows(), capacity = options.capacity.value_or(rows);
  DictionaryColumn result{.codes = r.allocate<std::uint32_t>(rows),
                          .validity = {},
                          .dictionary = {},
                          .rows = r.allocate<std::uint32_t>(capacity),
                          .count = r.allocate<std::uint64_t>(1)};
  if (in.nullable()) result.validity = r.allocate<std::uint32_t>((rows + 31) / 32);
  const DictionaryEncodeDesc desc{
      .capacity = options.capacity,
      .seed = options.seed,
      .longest_row_bytes = longest_row_of({&in}, options.longest_row_bytes)};
  r.step(dictionary_encode_scratch(r.device(), desc, rows, in.byte_bound()),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_dictionary_encode(
               cmd, r.device(), desc,
               {.in = in.view(),
                .codes = result.codes.view(),
                .validity = result.validity.size() ? result.validity.view() : BufferView{},
                .rows = result.rows.view(),
                .distinct_count = result.count.view(),
                .scratch = scratch});
         });
  result.dictionary =
      gather(r, in, result.rows, result.count, options.bytes.value_or(in.byte_bound()));
  return result;
}

StringColumn rope(Recorder& r, const RopeDesc& options, const RopeInputs& in,
                  std::uint64_t byte_bound, bool nullable) {
  RopeDesc desc = options;
  if (desc.rows == 0 && in.a) desc.rows = in.a->rows();
  desc.longest_row_bytes = longest_row_of({in.a, in.b}, desc.longest_row_bytes);
  Result result(r, desc.rows, byte_bound, nullable, desc.row_bytes);
  r.step(rope_scratch(r.device(), desc), [&](VkCommandBuffer cmd, const Scratch& scratch) {
    return record_rope(cmd, r.device(), desc,
                       {.a = in.a ? in.a->view() : StringColumnView{},
                        .b = in.b ? in.b->view() : StringColumnView{},
                        .indices = in.indices,
                        .out = result.out(),
                        .scratch = scratch});
  });
  return std::move(result).column();
}

Buffer<std::uint32_t> map(Recorder& r, const MapStringsDesc& desc, const MapInputs& in,
                          BufferView out) {
  const bool nullable = desc.kernel.makes_nulls || in.a.nullable() || (in.b && in.b->nullable());
  Buffer<std::uint32_t> validity;
  if (nullable) validity = r.allocate<std::uint32_t>((in.a.rows() + 31) / 32);
  r.step(map_scratch(r.device(), desc), [&](VkCommandBuffer cmd, const Scratch& scratch) {
    return record_map(cmd, r.device(), desc,
                      {.a = in.a.view(),
                       .b = in.b ? in.b->view() : StringColumnView{},
                       .indices = in.indices,
                       .out = out,
                       .validity = validity.size() ? validity.view() : BufferView{},
                       .scratch = scratch});
  });
  return validity;
}

BitColumn map_bits(Recorder& r, const MapStringsDesc& desc, const MapInputs& in) {
  const std::uint64_t rows = in.a.rows();
  BitColumn result{
      .bits = r.allocate<std::uint32_t>((rows + 31) / 32), .validity = {}, .rows = rows};
  result.validity = map(r, desc, in, result.bits.view());
  return result;
}

StringColumn make_strings(Recorder& r, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint32_t>& offsets,
                          const Buffer<std::uint32_t>& lengths, std::uint64_t byte_bound,
                          std::uint32_t null_length) {
  return make_of(r, chars, offsets, lengths, byte_bound, null_length);
}
StringColumn make_strings(Recorder& r, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint64_t>& offsets,
                          const Buffer<std::uint32_t>& lengths, std::uint64_t byte_bound,
                          std::uint32_t null_length) {
  return make_of(r, chars, offsets, lengths, byte_bound, null_length);
}

}  // namespace vkprims::strings
