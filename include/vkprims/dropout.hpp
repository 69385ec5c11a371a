// Dropout: zeroes elements at random, forward and backward, with bias and residual.
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/philox.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Element type of dropout. f16 and bf16 are IEEE binary16 and the upper half of a float; they are
/// computed with as floats, and need no feature of the device. f64 needs Features::float64.
enum class DropoutType : std::uint32_t { f32, f16, bf16, f64 };

constexpr std::uint32_t size_of(DropoutType type) {
  return type == DropoutType::f64 ? 8u : type == DropoutType::f32 ? 4u : 2u;
}

/// How it is stored which elements were kept.
enum class DropoutMask : std::uint32_t {
  none,  ///< not at all: backward draws the same numbers again
  bits,  ///< 32-bit words, element i is bit i % 32 of word i / 32, 1 is kept, bits past the count 0
  bytes,  ///< a byte for each element, 1 is kept; of masks that are read, any but 0
};

/// Random bits for each element.
enum class DropoutDraw : std::uint32_t {
  bits32,  ///< p is exact to 2^-33
  bits16,  ///< half the numbers; p is rounded to a multiple of 2^-16, dropout_probability()
};

enum class DropoutBias : std::uint32_t {
  none,
  row,   ///< `columns` elements, the same for all rows
  full,  ///< an element for each
};

struct DropoutDesc {
  DropoutType type = DropoutType::f32;
  Count count = {};      ///< elements, 0 … kMaxCount
  double p = 0.5;        ///< probability that an element is dropped, 0 … 1
  bool training = true;  ///< false: nothing is dropped nor scaled, and nothing drawn
  DropoutMask mask = DropoutMask::none;
  Rng rng = {};  ///< e.g. RngState::take(dropout_draws(desc))
  DropoutDraw draw = DropoutDraw::bits32;
  DropoutBias bias = DropoutBias::none;
  /// Elements of the last dimension, 1 … 2^31 - 1: for DropoutBias::row, bias_gradient and pitches.
  std::uint32_t columns = 0;
  /// Elements from one row of a view to the next, at least columns; 0: columns. Masks have none, and draws
  /// follow the elements' numbers: a view with gaps has the same mask as one without.
  std::uint32_t in_pitch = 0, out_pitch = 0, bias_pitch = 0, residual_pitch = 0;
  /// Elements that share a draw, 1 … 2^31 - 1: height * width drops whole channels.
  std::uint32_t run = 1;
  /// Keeps mean and variance of normal inputs of self-normalising networks: dropped elements become
  /// the negative limit of SELU, then all are scaled and moved. Without bias and residual.
  bool alpha = false;
};

struct DropoutBuffers {
  BufferView in;
  BufferView bias = {};      ///< with DropoutBias::row or full
  BufferView residual = {};  ///< optional
  BufferView out;
  BufferView mask = {};  ///< with DropoutMask::bits or bytes
  Scratch scratch = {};
};

/// out[i] = (in[i] + bias[i]) * scale + residual[i] where element i is kept, residual[i] where it is
/// dropped; scale is dropout_scale(desc).
///
/// An element is dropped if its draw is below dropout_threshold(desc): dropout_keeps() says it on the
/// host. p = 0 keeps everything, p = 1 nothing, and any below 1 at least the largest draw. What is
/// dropped is chosen, not multiplied by 0: NaN and infinities go, too. With training = false
/// out = in + bias + residual, and the mask has ones.
///
/// in, out,  count elements in rows of their pitch (without one, one after the other); address
/// residual, multiple of the size of an element. out may be in or residual, at the same address and
/// bias      with the same pitch. bias: `columns` elements, or as in. Fastest where all addresses and
///           pitches are multiples of 16 bytes and columns of 16 bytes / size
/// mask      dropout_mask_bytes(desc) bytes; bits: address multiple of 4, bytes: any address. Bytes are
///           fastest at multiples of 4
/// rng       state: 16 bytes, multiple of 8
/// scratch   dropout_scratch() bytes: 0, but for a large count that is read on the GPU
/// Before    in, bias, residual: last writer -> COMPUTE_SHADER / SHADER_READ. out, mask: all earlier
///           users -> COMPUTE_SHADER / SHADER_WRITE. rng.state: all earlier users -> COMPUTE_SHADER /
///           SHADER_READ | SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER | DRAW_INDIRECT
///           / SHADER_WRITE | INDIRECT_COMMAND_READ. count: last writer -> COMPUTE_SHADER / SHADER_READ
/// After     out, mask, rng.state: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, bias, residual,
///           scratch: free after COMPUTE_SHADER
/// Errors    p outside 0 … 1 or NaN, type that the device lacks, columns, pitches and run out of range,
///           bias given and not wanted or the other way round, the same for mask, alpha with bias or
///           residual, rng.offset no multiple of 4, count above the limit, views too small, unaligned or
///           overlapping, scratch
/// Results   what is kept is the same on every device, for any view, and as dropout_keeps(). Sum,
///           product and sum are rounded one after the other, for f16 and bf16 as floats, and the result
///           once more to nearest even: the same bits wherever floats round to nearest even, numbers
///           below 2^-126 apart. NaN may have another payload
/// Source    mask of bits: ONNX Runtime, BitmaskDropout; draws: philox.hpp; alpha: G. Klambauer et al.,
///           "Self-normalizing neural networks" (2017)
Status record_dropout(VkCommandBuffer cmd, const Device& device, const DropoutDesc& desc,
                      const DropoutBuffers& buffers);

/// Scratch that record_dropout() needs for `desc`.
ScratchNeed dropout_scratch(const Device& device, const DropoutDesc& desc);

struct DropoutBackwardBuffers {
  BufferView gradient;  ///< of out
  BufferView mask = {};
  BufferView out;                 ///< gradient of in, and of a bias of every element
  BufferView bias_gradient = {};  ///< optional: of a bias of one row
  Scratch scratch = {};
};

/// out[i] = gradient[i] * scale where element i was kept, 0 where it was dropped;
/// bias_gradient[c] = the sum of column c of these.
///
/// Takes the descriptor of the forward call. The gradient of the residual is `gradient` itself. With
/// DropoutMask::none the numbers of desc.rng are drawn again: with a state on the device, whose offset must be
/// what it was, so forward must not advance it (Rng::advance); backward never does.
///
/// gradient, count elements in rows of in_pitch; out in rows of out_pitch; out may be gradient, as in
/// out       record_dropout()
/// mask      as forward has written it
/// bias_gradient  `columns` elements
/// scratch   dropout_backward_scratch() bytes
/// Before    as in record_dropout(): gradient, mask are read; out, bias_gradient written
/// After     out, bias_gradient: COMPUTE_SHADER / SHADER_WRITE -> your reader. gradient, mask, scratch:
///           free after COMPUTE_SHADER
/// Errors    as record_dropout()
/// Results   out as in record_dropout(), from a mask the same as from draws. bias_gradient: sums of the
///           numbers in out, in floats (f64 in doubles), the same bits from run to run; within
///           2^-24 (2^-53) * (rows / 2^10 + 2^11) of the sum of magnitudes, then rounded
Status record_dropout_backward(VkCommandBuffer cmd, const Device& device, const DropoutDesc& desc,
                               const DropoutBackwardBuffers& buffers);

/// Scratch that record_dropout_backward() needs for `desc`; with a gradient of the bias if its bias is
/// DropoutBias::row.
ScratchNeed dropout_backward_scratch(const Device& device, const DropoutDesc& desc);

/// Compiles what record_dropout() and record_dropout_backward() use for `desc` at any alignment.
Status warm_up(const Device& device, const DropoutDesc& desc);

/// Draws below it drop: p of 2^32, or 2^16, rounded.
std::uint32_t dropout_threshold(const DropoutDesc& desc);
/// The probability that an element is dropped: p as it is drawn. 0 without training.
double dropout_probability(const DropoutDesc& desc);
/// What kept elements are multiplied by: 1 / (1 - p), with DropoutDraw::bits16 of p as it is drawn; with alpha
/// what keeps the variance. 1 without training. 0 for p = 1, where no element is kept.
double dropout_scale(const DropoutDesc& desc);
/// Random words that a call takes; in whole blocks of 4 it moves rng.state by these.
std::uint64_t dropout_draws(const DropoutDesc& desc);
/// Size of the mask in bytes; 0 for DropoutMask::none.
VkDeviceSize dropout_mask_bytes(const DropoutDesc& desc);
/// Whether element i is kept; without rng.state.
bool dropout_keeps(const DropoutDesc& desc, std::uint64_t i);

/// What an overload of dropout may read and write besides; In is the element type of its input.
template <class In>
struct DropoutOptionalBuffers {
  OptionalElements<In> bias = {};
  OptionalElements<In> residual = {};
  OptionalMask mask = {};
};
template <class In>
struct DropoutBackwardOptionalBuffers {
  OptionalMask mask = {};
  OptionalElements<In> bias_gradient = {};
};

namespace overloads {

/// Sets what the buffers of a call of dropout tell of its descriptor.
template <class In, class Out, class R>
void complete(R& recorder, DropoutDesc& desc, std::uint64_t size, const OptionalMask& mask) {
  static_assert(kIsFloat<In> || kHasBits16<In>,
                "vkprims: dropout: elements must be float, double or of 16 bits");
  static_assert(kIsSame<In, Out>, "vkprims: dropout: out must have the element type of the input");
  const bool half = desc.type == DropoutType::f16 || desc.type == DropoutType::bf16;
  if constexpr (kHasBits16<In>) {
    if (!half) refuse(recorder, "dropout: type must say whether 16 bits are f16 or bf16");
  } else {
    desc.type = sizeof(ElementOf<In>) == 8 ? DropoutType::f64 : DropoutType::f32;
  }
  if (mask) desc.mask = mask.bytes ? DropoutMask::bytes : DropoutMask::bits;
  desc.count = desc.count.or_all(size);
}

}  // namespace overloads

/// Drops elements of `in` as a step of `recorder`; a count that is not given is in.size(). Elements of 16 bits are what
/// desc.type says; a mask of std::uint32_t has bits, one of bytes a byte for each element.
template <std::same_as<Recorder> R, class In, class Out>
void dropout(R& recorder, DropoutDesc desc, const In& in, const Out& out,
             const DropoutOptionalBuffers<overloads::ElementOf<In>>& more = {}) {
  overloads::complete<In, Out>(recorder, desc, in.size(), more.mask);
  overloads::add_step<record_dropout, dropout_scratch>(
      recorder, desc,
      DropoutBuffers{in.view(), more.bias.view(), more.residual.view(), out.view(),
                     more.mask.view()});
}

/// Its gradient as a step of `recorder`, in the same way.
template <std::same_as<Recorder> R, class In, class Out>
void dropout_backward(R& recorder, DropoutDesc desc, const In& gradient, const Out& out,
                      const DropoutBackwardOptionalBuffers<overloads::ElementOf<In>>& more = {}) {
  overloads::complete<In, Out>(recorder, desc, gradient.size(), more.mask);
  overloads::add_step<record_dropout_backward, dropout_backward_scratch>(
      recorder, desc,
      DropoutBackwardBuffers{gradient.view(), more.mask.view(), out.view(),
                             more.bias_gradient.view()});
}

}  // namespace vkprims
