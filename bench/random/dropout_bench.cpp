// Benchmark rows of dropout.
#include "harness.hpp"
#include "oracles/dropout.hpp"
#include "spirv/dropout_forms_naive.hpp"
#include "spirv/dropout_forms_subgroup_or.hpp"
#include "spirv/dropout_forms_vectorised.hpp"
#include "vkprims/dropout.hpp"

namespace vkprims::bench {
namespace {

constexpr double kP = 0.1;
constexpr std::uint32_t kColumns = 1024;

struct Shape {
  DropoutType type = DropoutType::f32;
  DropoutMask mask = DropoutMask::bits;
  bool backward = false;
  bool bias_gradient = false;
  bool bias_residual = false;
  DropoutDraw draw = DropoutDraw::bits32;
  PhiloxRounds rounds = PhiloxRounds::ten;
  std::uint32_t offset = 0;      // of `in`, elements past a multiple of 16 bytes
  const Spirv* form = nullptr;   // in place of the library's kernel
  std::uint32_t form_items = 1;  // of an invocation
};

DropoutDesc desc_of(const Shape& shape, std::uint64_t n) {
  DropoutDesc desc{.type = shape.type,
                   .count = n,
                   .p = kP,
                   .mask = shape.mask,
                   .rng = {.seed = 1, .rounds = shape.rounds},
                   .draw = shape.draw};
  if (shape.bias_residual || shape.bias_gradient) {
    desc.bias = DropoutBias::row;
    desc.columns = kColumns;
  }
  return desc;
}

struct Dropout {
  Buffer<std::uint32_t> in, residual, bias, out, mask, sums;
  Session::ScratchBlock scratch;
  std::unique_ptr<Kernel> form;
};

// Compares the words of the first 2^20 elements, and of the last as many, with the oracle.
template <class T>
std::string mismatch(Session& session, const Shape& shape, const Dropout& c, std::uint64_t n) {
  const DropoutDesc desc = desc_of(shape, n);
  const std::uint64_t part = std::min<std::uint64_t>(n, 1 << 20);
  const auto word_of = [&](const Buffer<std::uint32_t>& buffer, std::uint64_t first_element,
                           std::uint64_t elements, std::uint64_t shift) {
    std::vector<std::uint32_t> words = session.context().download(
        buffer, (first_element + shift) * sizeof(T) / 4,
        std::min(elements * sizeof(T) / 4 + 1,
                 buffer.size() - (first_element + shift) * sizeof(T) / 4));
    std::vector<T> values(elements);
    std::memcpy(
        values.data(),
        reinterpret_cast<const char*>(words.data()) + (first_element + shift) * sizeof(T) % 4,
        elements * sizeof(T));
    return values;
  };
  for (const std::uint64_t first : {std::uint64_t{0}, (n - part) / 32 * 32}) {
    const std::uint64_t count = first ? n - first : part;
    const std::vector<T> in = word_of(c.in, first, count, shape.offset),
                         out = word_of(c.out, first, count, 0);
    std::vector<T> bias, residual;
    if (shape.bias_residual) {
      bias = word_of(c.bias, 0, kColumns, 0);
      residual = word_of(c.residual, first, count, 0);
    }
    std::vector<std::uint32_t> mask;
    if (shape.mask != DropoutMask::none) {
      const std::uint64_t per_word = shape.mask == DropoutMask::bits ? 32 : 4;
      mask =
          session.context().download(c.mask, first / per_word, (count + per_word - 1) / per_word);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool keeps = oracle::dropout_keeps(desc, first + i);
      const T* b = shape.bias_residual && !shape.backward ? &bias[(first + i) % kColumns] : nullptr;
      const T* r = shape.bias_residual && !shape.backward ? &residual[i] : nullptr;
      const T want = oracle::dropout(desc, keeps, in[i], b, r);
      const bool nan = std::isnan(oracle::real_of(want)) && std::isnan(oracle::real_of(out[i]));
      bool right = nan || std::memcmp(&want, &out[i], sizeof(T)) == 0;
      if (shape.mask == DropoutMask::bits) right &= (mask[i / 32] >> i % 32 & 1) == keeps;
      if (shape.mask == DropoutMask::bytes) right &= (mask[i / 4] >> 8 * (i % 4) & 255) == keeps;
      if (!right) return "element " + std::to_string(first + i) + " or its mask is wrong";
    }
  }
  return "";
}

Case make_dropout(Session& session, std::uint64_t n, const Shape& shape) {
  const DropoutDesc desc = desc_of(shape, n);
  const std::uint64_t size = size_of(shape.type), words = (n + 8) * size / 4 + 4;
  auto c = std::make_shared<Dropout>();
  const Data data = shape.type == DropoutType::f32    ? Data::uniform_f32
                    : shape.type == DropoutType::f64  ? Data::small_f64
                    : shape.type == DropoutType::bf16 ? Data::small_f32
                                                      : Data::bits;
  const auto input = [&](std::uint64_t count) {
    auto buffer = session.allocate<std::uint32_t>(count);
    session.generate(buffer.address(), count, data);
    return buffer;
  };
  c->in = input(words);
  c->out = session.allocate<std::uint32_t>(words);
  if (shape.bias_residual) {
    c->residual = input(words);
    c->bias = input(kColumns * size / 4 + 1);
  }
  if (shape.bias_gradient) c->sums = session.allocate<std::uint32_t>(kColumns * size / 4);
  const VkDeviceSize mask_bytes = dropout_mask_bytes(desc);
  if (mask_bytes) c->mask = session.allocate<std::uint32_t>((mask_bytes + 3) / 4);
  c->scratch = session.allocate_scratch(dropout_backward_scratch(session.device(), desc));
  if (shape.form) {
    c->form =
        std::make_unique<Kernel>(session.context(), session.vk(), *shape.form, std::vector{128u});
  }
  const auto view = [](const Buffer<std::uint32_t>& buffer, std::uint64_t bytes = 0) {
    return buffer.size() ? BufferView{buffer.address() + bytes, buffer.size() * 4 - bytes}
                         : BufferView{};
  };
  const DropoutBuffers forward{.in = view(c->in, shape.offset * size),
                               .bias = view(c->bias),
                               .residual = view(c->residual),
                               .out = view(c->out),
                               .mask = view(c->mask),
                               .scratch = c->scratch.scratch};
  const DropoutBackwardBuffers backward{.gradient = forward.in,
                                        .mask = forward.mask,
                                        .out = forward.out,
                                        .bias_gradient = view(c->sums),
                                        .scratch = c->scratch.scratch};
  if (shape.backward && mask_bytes) {  // backward reads the mask that this makes
    DropoutDesc plain = desc;
    plain.bias = DropoutBias::none;
    session.run({.record = [=, &session](VkCommandBuffer cmd) {
      return record_dropout(cmd, session.device(), plain, forward);
    }});
  }

  Case result;
  result.items = n;
  result.ideal_bytes = n * size * (shape.bias_residual ? 3 : 2) + mask_bytes;
  result.record = [=, &session](VkCommandBuffer cmd) {
    if (shape.form) {
      const float scale = static_cast<float>(dropout_scale(desc));
      const std::uint64_t in = forward.in.address, out = forward.out.address,
                          mask = forward.mask.address;
      const std::uint64_t count = (n + 3) / 4 * 4;  // there is room for so many
      c->form->dispatch(
          cmd, (count / shape.form_items + 127) / 128,
          {low(in), high(in), low(out), high(out), low(mask), high(mask), low(count), high(count),
           dropout_threshold(desc), std::bit_cast<std::uint32_t>(scale)});
      return Status();
    }
    if (shape.backward) return record_dropout_backward(cmd, session.device(), desc, backward);
    return record_dropout(cmd, session.device(), desc, forward);
  };
  result.mismatch = [=, &session]() -> std::string {
    switch (shape.type) {
      case DropoutType::f32:
        return mismatch<float>(session, shape, *c, n);
      case DropoutType::f16:
        return mismatch<oracle::Half>(session, shape, *c, n);
      case DropoutType::bf16:
        return mismatch<oracle::BFloat>(session, shape, *c, n);
      default:
        return mismatch<double>(session, shape, *c, n);
    }
  };
  result.extra = [mask_bytes] {
    return std::map<std::string, double>{{"mask_MB", static_cast<double>(mask_bytes) * 1e-6}};
  };
  return result;
}

Row dropout_row(const char* name, bool main, const Shape& shape, bool Features::*needs = nullptr) {
  return {.name = name,
          .bytes_per_item = size_of(shape.type) * (shape.bias_residual ? 3 : 2) + 1,
          .needs = needs,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_dropout(s, n, shape); }};
}

constexpr DropoutType kHalf = DropoutType::f16;
constexpr DropoutMask kNone = DropoutMask::none, kBytes = DropoutMask::bytes;

const Register kRows({
    headline("random", dropout_row("dropout/f32_bits", true, {})),
    dropout_row("dropout/f32_bytes", false, {.mask = kBytes}),
    dropout_row("dropout/f32_seed", false, {.mask = kNone}),
    dropout_row("dropout/f32_backward_bits", true, {.backward = true}),
    dropout_row("dropout/f32_backward_bytes", false, {.mask = kBytes, .backward = true}),
    dropout_row("dropout/f32_backward_seed", false, {.mask = kNone, .backward = true}),
    dropout_row("dropout/f32_bias_residual", true, {.bias_residual = true}),
    dropout_row("dropout/f32_backward_bias", false, {.backward = true, .bias_gradient = true}),
    dropout_row("dropout/f32_unaligned4", false, {.offset = 1}),
    dropout_row("dropout/f16_bits", true, {.type = kHalf}),
    dropout_row("dropout/f16_bytes", false, {.type = kHalf, .mask = kBytes}),
    dropout_row("dropout/f16_seed", false, {.type = kHalf, .mask = kNone}),
    dropout_row("dropout/f16_bits_draw16", false, {.type = kHalf, .draw = DropoutDraw::bits16}),
    dropout_row("dropout/f16_bits_rounds7", false, {.type = kHalf, .rounds = PhiloxRounds::seven}),
    dropout_row("dropout/f16_backward_bits", true, {.type = kHalf, .backward = true}),
    dropout_row("dropout/f16_backward_bytes", false,
                {.type = kHalf, .mask = kBytes, .backward = true}),
    dropout_row("dropout/f16_bias_residual", false, {.type = kHalf, .bias_residual = true}),
    dropout_row("dropout/bf16_bits", false, {.type = DropoutType::bf16}),
    dropout_row("dropout/f64_bits", false, {.type = DropoutType::f64}, &Features::float64),
    // These are the ways to write dropout that lead to the library's: one draw and one byte of mask
    // per element, four draws and four bytes, and bits that lanes put together. All rows print how
    // large the mask is.
    dropout_row("dropout/form_naive", false,
                {.mask = kBytes, .form = &spirv::dropout_forms_naive, .form_items = 1},
                &Features::storage8),
    dropout_row("dropout/form_vectorised", false,
                {.mask = kBytes, .form = &spirv::dropout_forms_vectorised, .form_items = 4}),
    dropout_row("dropout/form_subgroup_or", false,
                {.form = &spirv::dropout_forms_subgroup_or, .form_items = 4}),
});

}  // namespace
}  // namespace vkprims::bench
