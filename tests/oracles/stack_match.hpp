// Oracle of vkprims/stack_match.hpp: a stack.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "vkprims/stack_match.hpp"

namespace vkprims::oracle {

struct StackMatch {
  std::vector<std::uint64_t> match, close_of, depth;  // ~0: none
  StackHeader header{};
};

/// Matches tags, of which only the two lowest bits count.
template <class Tag>
StackMatch stack_match(const std::vector<Tag>& tags) {
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  StackMatch result;
  result.match.assign(tags.size(), kNone);
  result.close_of.assign(tags.size(), kNone);
  result.header.count = tags.size();
  result.header.first_mismatch = kNone;
  std::vector<std::uint64_t> stack;
  for (std::uint64_t i = 0; i < tags.size(); ++i) {
    result.depth.push_back(stack.size());
    if (!stack.empty()) result.match[i] = stack.back();
    switch (static_cast<StackTag>(tags[i] & 3)) {
      case StackTag::none:
        break;
      case StackTag::open:
        stack.push_back(i);
        result.header.deepest = std::max<std::uint64_t>(result.header.deepest, stack.size());
        break;
      case StackTag::close:
        if (stack.empty()) {
          ++result.header.unmatched_closes;
        } else {
          if (result.header.first_mismatch == kNone && tags[stack.back()] >> 2 != tags[i] >> 2) {
            result.header.first_mismatch = i;
          }
          result.close_of[stack.back()] = i;
          stack.pop_back();
        }
        break;
      case StackTag::reset:
        result.header.unclosed_opens += stack.size();
        stack.clear();
        break;
    }
  }
  result.header.unclosed_opens += stack.size();
  return result;
}

/// Computes only `match`, as fast as one core of the host can: without branches, which would be
/// unpredictable. Indices begin at `first`; `stack` has one element more than `tags`.
template <class Tag, class Index>
void match_in_order(std::span<const Tag> tags, std::span<Index> match, std::span<Index> stack,
                    Index first = 0) {
  std::size_t top = 0;
  stack[0] = ~Index{0};
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const auto tag = static_cast<StackTag>(tags[i] & 3);
    match[i] = stack[top];
    stack[top + 1] = first + static_cast<Index>(i);  // counts only if the tag is an open
    const std::size_t popped = top - (top != 0 && tag == StackTag::close);
    top = tag == StackTag::reset ? 0 : popped + (tag == StackTag::open);
  }
}

}  // namespace vkprims::oracle
