// Oracle of vkprims/stack_fold.hpp: stacks of folds.
#pragma once

#include <cstdint>
#include <vector>

#include "vkprims/stack_fold.hpp"

namespace vkprims::oracle {

/// Folds over tags, of which only the two lowest bits count; the order is combine(outer, inner).
template <class T, class Tag, class Combine>
std::vector<T> stack_fold(const std::vector<Tag>& tags, const std::vector<T>& values, T identity,
                          Combine&& combine, StackFoldKind kind) {
  std::vector<T> result;
  std::vector<T> stack = {identity};  // folds of all opens up to each one
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (kind == StackFoldKind::exclusive) result.push_back(stack.back());
    switch (static_cast<StackTag>(tags[i] & 3)) {
      case StackTag::none:
        break;
      case StackTag::open:
        stack.push_back(combine(stack.back(), values[i]));
        break;
      case StackTag::close:
        if (stack.size() > 1) stack.pop_back();
        break;
      case StackTag::reset:
        stack.resize(1);
        break;
    }
    if (kind == StackFoldKind::after) result.push_back(stack.back());
  }
  return result;
}

/// Folds the values between each open and its close, by the same rules.
template <class T, class Tag, class Combine>
std::vector<T> stack_fold_enclosed(const std::vector<Tag>& tags, const std::vector<T>& values,
                                   T identity, Combine&& combine, StackFoldKind kind) {
  struct Open {
    std::size_t at;
    T inside;
  };
  std::vector<T> result(tags.size(), identity);
  std::vector<Open> stack;
  const auto pop = [&](bool closed, std::size_t close) {
    const Open open = stack.back();
    stack.pop_back();
    const T with_own = combine(values[open.at], open.inside);
    result[open.at] = kind == StackFoldKind::after ? with_own : open.inside;
    if (closed) result[close] = result[open.at];
    if (!stack.empty()) stack.back().inside = combine(stack.back().inside, with_own);
  };
  for (std::size_t i = 0; i < tags.size(); ++i) {
    switch (static_cast<StackTag>(tags[i] & 3)) {
      case StackTag::none:
        result[i] = values[i];
        if (!stack.empty()) stack.back().inside = combine(stack.back().inside, values[i]);
        break;
      case StackTag::open:
        stack.push_back({i, identity});
        break;
      case StackTag::close:
        if (!stack.empty()) pop(true, i);
        break;
      case StackTag::reset:
        while (!stack.empty()) pop(false, 0);
        break;
    }
  }
  while (!stack.empty()) pop(false, 0);
  return result;
}

}  // namespace vkprims::oracle
