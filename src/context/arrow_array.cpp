// How exported ArrowArrays own their children and their buffers.
#include "arrow_format.hpp"

namespace vkprims::arrow {

ArrayOwner::~ArrayOwner() {
  for (ArrowArray& child : children) {
    if (child.release) child.release(&child);
  }
  if (dictionary.release) dictionary.release(&dictionary);
}

void hand_over(std::unique_ptr<ArrayOwner> owner, const ArraySizes& sizes,
               void (*release)(ArrowArray*), ArrowArray& out) noexcept {
  ArrayOwner* const kept = owner.release();
  out = ArrowArray{.length = static_cast<std::int64_t>(sizes.rows),
                   .null_count = sizes.null_count,
                   .offset = 0,
                   .n_buffers = sizes.buffers,
                   .n_children = static_cast<std::int64_t>(kept->children.size()),
                   .buffers = kept->buffers,
                   .children = kept->child_pointers.data(),
                   .dictionary = kept->dictionary.release ? &kept->dictionary : nullptr,
                   .release = release,
                   .private_data = kept};
}

}  // namespace vkprims::arrow
