// What files of calls that must not compile begin with: buffers, and a macro for each call and the
// sentence that the compiler must say. tests/refused_types/calls.cpp is one, and so is every
// foo_refused.cpp of a primitive. recorder_overloads_test.cpp compiles them.
#pragma once

#include <cstdint>

#include "vkprims/context.hpp"
#include "vkprims/vkprims.hpp"

#define REFUSES(sentence, ...) __VA_ARGS__

namespace {

using namespace vkprims;
struct Pair {
  std::uint32_t a, b, c;
};
const Buffer<std::uint8_t> u8;
const Buffer<std::uint16_t> u16;
const Buffer<std::uint32_t> u32;
const Buffer<std::uint64_t> u64;
const Buffer<std::int8_t> i8;
const Buffer<std::int32_t> i32;
const Buffer<std::int64_t> i64;
const Buffer<float> f32;
const Buffer<double> f64;
const Buffer<bool> flags;
const Buffer<Pair> pairs;

}  // namespace
