// What the tests of primitives in segments over monoids of an application's own have in common.
#pragma once

#include "blocks/own_monoids.hpp"
#include "support/every_primitive.hpp"
#include "support/segment_heads.hpp"

namespace vkprims::test {

inline constexpr auto kLookBack = Schedule::look_back, kMultiPass = Schedule::multi_pass;

/// Calls check(n, mean) for numbers of elements around the edges of tiles, and of many tiles if
/// these are small, in segments of each mean length. `tiny` says whether the device has small ones.
template <class Check>
void for_segments(bool tiny, std::uint64_t tile, Check&& check) {
  std::vector<std::uint64_t> counts = edge_counts(tile);
  if (tiny) counts.push_back(40 * tile + 3);
  for (const std::uint64_t n : counts) {
    for (const std::uint64_t mean : kSegmentLengths) {
      if (!tiny && n > tile && mean != 50) continue;
      check(n, mean);
    }
  }
}

/// The elements as the C++ that the build makes for the monoid has them.
inline std::vector<own::affine::Affine> typed(const std::vector<oracle::Affine::Element>& values) {
  std::vector<own::affine::Affine> out(values.size());
  std::memcpy(out.data(), values.data(), values.size() * sizeof(own::affine::Affine));
  return out;
}

/// What is said of a descriptor that is wrong.
template <class Desc>
std::string message(const Desc& desc) {
  return std::string(warm_up(device(), desc).message());
}

/// Checks that primitives refuse a monoid that has no kernels for them.
template <class... Descs>
void check_needs_kernels(Descs... descs) {
  Monoid scan_only = own::affine::monoid;
  scan_only.find_module = [](const Monoid&, MonoidKernel, const Spirv*& spirv) {
    spirv = nullptr;
    return Status();
  };
  ((descs.own = &scan_only), ...);
  for (const std::string& text : {message(descs)...}) {
    CAPTURE(text);
    CHECK(text.find("monoid affine has no kernels for it; name it in the FORMS of "
                    "vkprims_add_monoid()") != std::string::npos);
  }
}

}  // namespace vkprims::test
