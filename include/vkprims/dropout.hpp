// Dropout: zeroes elements at random, forward and backward, with bias and residual.
/// @ingroup random
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/philox.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Element type of dropout. f16 and bf16 are IEEE binary16 and the upper half of a float;
/// calculations with them use floats and need no feature of the device. f64 needs
/// Features::float64.
enum class DropoutType : std::uint32_t {
  f32,   ///< float: IEEE binary32
  f16,   ///< IEEE binary16
  bf16,  ///< the upper half of a float
  f64    ///< double: IEEE binary64
};

/// Size of one element in bytes; elements are aligned to their size.
constexpr std::uint32_t size_of(DropoutType type) {
  return type == DropoutType::f64 ? 8u : type == DropoutType::f32 ? 4u : 2u;
}

/// How a mask stores which elements were kept.
enum class DropoutMask : std::uint32_t {
  none,  ///< it is not stored: backward draws the same numbers again
  /// 32-bit words: element i is bit i % 32 of word i / 32, 1 means kept; bits past the count are 0.
  bits,
  /// A byte for each element: 1 means kept; in masks that are read, any value except 0 does.
  bytes,
};

/// How many random bits are drawn for each element.
enum class DropoutDraw : std::uint32_t {
  bits32,  ///< p is exact to 2^-33
  bits16,  ///< Draws half the numbers; p is rounded to a multiple of 2^-16 (dropout_probability()).
};

/// What is added to the input before elements are dropped.
enum class DropoutBias : std::uint32_t {
  none,  ///< nothing
  row,   ///< `columns` elements, the same for all rows
  full,  ///< as many elements as the input
};

/// Describes dropout to record_dropout(), dropout_scratch() and warm_up().
struct DropoutDesc {
  DropoutType type = DropoutType::f32;     ///< type of the elements of all views, except masks
  Count count = {};                        ///< elements, 0 … kMaxCount
  double p = 0.5;                          ///< probability that an element is dropped, 0 … 1
  bool training = true;                    ///< false: nothing is dropped, scaled or drawn
  DropoutMask mask = DropoutMask::none;    ///< how the mask is stored
  Rng rng = {};                            ///< e.g. RngState::take(dropout_draws(desc))
  DropoutDraw draw = DropoutDraw::bits32;  ///< random bits for each element
  DropoutBias bias = DropoutBias::none;    ///< what is added to the input
  /// Elements of the last dimension, 1 … 2^31 - 1; needed for DropoutBias::row, bias_gradient and
  /// pitches.
  std::uint32_t columns = 0;
  /// Elements from one row of a view to the next, at least columns; 0: columns. Masks have no
  /// pitch, and draws follow the numbers of elements: a view with gaps gets the same mask as one
  /// without.
  std::uint32_t in_pitch = 0, out_pitch = 0, bias_pitch = 0, residual_pitch = 0;
  /// Number of neighbouring elements that share a draw, 1 … 2^31 - 1. height * width drops whole
  /// channels.
  std::uint32_t run = 1;
  /// Alpha dropout, which keeps mean and variance of normal inputs, for self-normalising networks:
  /// dropped elements become the negative limit of SELU, then all are scaled and shifted. Not with
  /// bias or residual.
  bool alpha = false;
};

/// Memory for record_dropout(), whose comment tells sizes, alignments and what may overlap.
struct DropoutBuffers {
  BufferView in;             ///< the elements
  BufferView bias = {};      ///< with DropoutBias::row or full
  BufferView residual = {};  ///< optional
  BufferView out;            ///< as many elements
  BufferView mask = {};      ///< with DropoutMask::bits or bytes
  Scratch scratch = {};      ///< dropout_scratch() bytes
};

/// out[i] = (in[i] + bias[i]) * scale + residual[i] where element i is kept, and residual[i] where
/// it is dropped; scale is dropout_scale(desc).
///
/// An element is dropped if its draw is below dropout_threshold(desc); dropout_keeps() tells it on
/// the host. p = 0 keeps everything, p = 1 nothing, and every p below 1 keeps at least the largest
/// draw. Dropped elements are not multiplied by 0 but replaced, so NaN and infinities go, too. With
/// training = false, out = in + bias + residual, and the mask has ones.
///
/// in        count elements in rows of in_pitch (without a pitch, one after the other); address
///           multiple of the size of an element. This and the next three are fastest where all
///           addresses and pitches are multiples of 16 bytes and columns a multiple of 16 bytes /
///           size
/// bias      `columns` elements, or as many as in has, in rows of bias_pitch; address as of in
/// residual  as in, in rows of residual_pitch
/// out       as in, in rows of out_pitch; may be in or residual, at the same address and with the
///           same pitch
/// mask      dropout_mask_bytes(desc) bytes; address multiple of 4 for bits, any address for bytes,
///           which are fastest at multiples of 4
/// rng       with a state: 16 bytes there, address multiple of 8
/// scratch   dropout_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before    in, bias, residual: last writer -> COMPUTE_SHADER / SHADER_READ. out, mask: all
///           earlier users -> COMPUTE_SHADER / SHADER_WRITE. rng.state: all earlier users ->
///           COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users ->
///           COMPUTE_SHADER | DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count: last
///           writer -> COMPUTE_SHADER / SHADER_READ
/// After     out, mask, rng.state: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, bias,
///           residual, scratch: free after COMPUTE_SHADER
/// Errors    p outside 0 … 1 or NaN, type that the device lacks, columns, pitches and run out of
///           range, a bias or mask that is given but not wanted or the other way round, alpha with
///           bias or residual, rng.offset that is not a multiple of 4, count above the limit, views
///           too small, unaligned or overlapping, invalid scratch
/// Results   which elements are kept is the same on every device and for any view, and as
///           dropout_keeps() says. Sum, product and sum are rounded one after the other, as floats
///           for f16 and bf16, whose result is rounded once more to nearest even. Results have the
///           same bits wherever floats round to nearest even, except for numbers below 2^-126. NaN
///           may have another payload
/// Source    mask of bits: ONNX Runtime, BitmaskDropout; draws: philox.hpp; alpha: G. Klambauer et
///           al., "Self-normalizing neural networks" (2017)
Status record_dropout(VkCommandBuffer cmd, const Device& device, const DropoutDesc& desc,
                      const DropoutBuffers& buffers);

/// Scratch that record_dropout() needs for `desc`.
ScratchNeed dropout_scratch(const Device& device, const DropoutDesc& desc);

/// Memory for record_dropout_backward(), whose comment tells sizes, alignments and what may
/// overlap.
struct DropoutBackwardBuffers {
  BufferView gradient;   ///< gradient of out
  BufferView mask = {};  ///< with DropoutMask::bits or bytes, as the forward call has written it
  BufferView out;        ///< gradient of in, and of a bias with DropoutBias::full
  BufferView bias_gradient = {};  ///< optional: gradient of a bias with DropoutBias::row
  Scratch scratch = {};           ///< dropout_backward_scratch() bytes
};

/// out[i] = gradient[i] * scale where element i was kept, and 0 where it was dropped;
/// bias_gradient[c] = the sum of column c of these.
///
/// Takes the descriptor of the forward call. The gradient of the residual is `gradient` itself.
/// With DropoutMask::none the numbers of desc.rng are drawn again. If desc.rng has a state on the
/// device, its offset must be what it was, so the forward call must not advance it (Rng::advance);
/// the backward call never does.
///
/// gradient       count elements in rows of in_pitch
/// out            count elements in rows of out_pitch; may be gradient, as in record_dropout()
/// mask           as the forward call has written it
/// bias_gradient  `columns` elements
/// scratch        dropout_backward_scratch() bytes
/// Before         gradient, mask, rng.state, count: last writer -> COMPUTE_SHADER / SHADER_READ.
///                out, bias_gradient: all earlier users -> COMPUTE_SHADER / SHADER_READ |
///                SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER | DRAW_INDIRECT /
///                SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ
/// After          out, bias_gradient: COMPUTE_SHADER / SHADER_WRITE -> your reader. gradient, mask,
///                scratch: free after COMPUTE_SHADER
/// Errors         as in record_dropout()
/// Results        out as in record_dropout(), and the same from a mask as from draws.
///                bias_gradient: sums of the numbers in out, as floats (f64: doubles), with the
///                same bits from run to run; within 2^-24 (2^-53) * (rows / 2^10 + 2^11) of the sum
///                of magnitudes, then rounded
Status record_dropout_backward(VkCommandBuffer cmd, const Device& device, const DropoutDesc& desc,
                               const DropoutBackwardBuffers& buffers);

/// Scratch that record_dropout_backward() needs for `desc`, with a bias_gradient if desc.bias is
/// DropoutBias::row.
ScratchNeed dropout_backward_scratch(const Device& device, const DropoutDesc& desc);

/// Compiles the pipelines that record_dropout() and record_dropout_backward() use for `desc` at any
/// alignment.
Status warm_up(const Device& device, const DropoutDesc& desc);

/// Elements whose draw is below this are dropped: p times 2^32 (bits16: 2^16), rounded.
std::uint32_t dropout_threshold(const DropoutDesc& desc);
/// The probability that an element is dropped: p as rounded for the draw; 0 without training.
double dropout_probability(const DropoutDesc& desc);
/// The factor for kept elements: 1 / (1 - p), with the rounded p for DropoutDraw::bits16; with
/// alpha, the factor that keeps the variance. It is 1 without training, and 0 for p = 1, where no
/// element is kept.
double dropout_scale(const DropoutDesc& desc);
/// Number of random words that a call draws. It advances rng.state by these, rounded up to whole
/// blocks of 4.
std::uint64_t dropout_draws(const DropoutDesc& desc);
/// Size of the mask in bytes; 0 for DropoutMask::none.
VkDeviceSize dropout_mask_bytes(const DropoutDesc& desc);
/// Whether element i is kept; not for descriptors with rng.state.
bool dropout_keeps(const DropoutDesc& desc, std::uint64_t i);

/// Optional inputs and outputs of the overloads of dropout(); In is the element type of its input.
template <class In>
struct DropoutOptionalBuffers {
  OptionalElements<In> bias = {};      ///< with DropoutBias::row or full
  OptionalElements<In> residual = {};  ///< what is added to each result
  OptionalMask mask = {};              ///< an output: which elements were kept
};
/// Optional inputs and outputs of the overloads of dropout_backward().
template <class In>
struct DropoutBackwardOptionalBuffers {
  OptionalMask mask = {};                   ///< the mask that dropout() has written
  OptionalElements<In> bias_gradient = {};  ///< gradient of a bias with DropoutBias::row
};

namespace overloads {

/// Sets the members of the descriptor that follow from the buffers of a call.
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

/// Drops elements of `in` as a step of `recorder`; a count that is not given is in.size().
/// desc.type says what elements of 16 bits are. A mask of std::uint32_t has bits; a mask of bytes
/// has one for each element.
template <std::same_as<Recorder> R, class In, class Out>
void dropout(R& recorder, DropoutDesc desc, const In& in, const Out& out,
             const DropoutOptionalBuffers<overloads::ElementOf<In>>& more = {}) {
  overloads::complete<In, Out>(recorder, desc, in.size(), more.mask);
  overloads::add_step<record_dropout, dropout_scratch>(
      recorder, desc,
      DropoutBuffers{in.view(), more.bias.view(), more.residual.view(), out.view(),
                     more.mask.view()});
}

/// Computes the gradient of dropout() as a step of `recorder`, in the same way.
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
