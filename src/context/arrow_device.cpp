// Arrow arrays whose buffers stay in device memory.
#include <optional>
#include <utility>

#include "arrow_format.hpp"

namespace vkprims {
namespace {

using arrow::refuse;

// Owns an exported array whose buffers are on the device.
struct DeviceOwner : arrow::ArrayOwner {
  const Device* device = nullptr;  // the Context's only one, at the same address for its life
  std::uint64_t rows = 0;
  std::optional<Column> column;  // none for a record batch; that of a dictionary has one, too
};

// Its address also tells arrays that are ours from others.
void release_device(ArrowArray* array) {
  delete static_cast<arrow::ArrayOwner*>(array->private_data);
  array->release = nullptr;
}

void check_pointers() {
  if (sizeof(void*) >= sizeof(VkDeviceAddress)) return;
  refuse(Status::unsupported, "", "pointers of this program cannot hold a device address");
}

const void* pointer_to(VkDeviceAddress address) {
  return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(address));
}

std::int64_t device_id(const Context& context) {
  const auto enumerate = reinterpret_cast<PFN_vkEnumeratePhysicalDevices>(
      context.get_instance_proc_addr()(context.instance(), "vkEnumeratePhysicalDevices"));
  std::uint32_t count = 0;
  if (!enumerate || enumerate(context.instance(), &count, nullptr) < 0) return -1;
  std::vector<VkPhysicalDevice> devices(count);
  if (enumerate(context.instance(), &count, devices.data()) < 0) return -1;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (devices[i] == context.physical_device()) return i;
  }
  return -1;
}

// Makes the owner of an array with the addresses of a column, which stays where it is until fill().
std::unique_ptr<DeviceOwner> owner_for(const Context& context, std::uint64_t rows) {
  auto owner = std::make_unique<DeviceOwner>();
  owner->device = &context.device();
  owner->rows = rows;
  return owner;
}

void hand_over(std::unique_ptr<DeviceOwner> owner, const Buffer<std::uint32_t>& validity,
               std::int64_t buffers, ArrowArray& out) {
  const bool nullable = validity.size() != 0;
  if (nullable) owner->buffers[0] = pointer_to(validity.address());
  const arrow::ArraySizes sizes{owner->rows, nullable ? -1 : 0, buffers};
  hand_over(std::move(owner), sizes, release_device, out);
}

void describe(const Context& context, const StringColumn& column, ArrowArray& out) {
  auto owner = owner_for(context, column.rows());
  const StringColumnView view = column.view();
  owner->buffers[1] = pointer_to(view.offsets.address);
  owner->buffers[2] = pointer_to(view.chars.address);
  hand_over(std::move(owner), column.validity(), 3, out);
}

void describe(const Context& context, const FixedColumn& column, const StringColumn* dictionary,
              ArrowArray& out) {
  auto owner = owner_for(context, column.rows);
  owner->buffers[1] = pointer_to(column.data.address());
  if (dictionary) describe(context, *dictionary, owner->dictionary);
  hand_over(std::move(owner), column.validity, 2, out);
}

void describe(const Context& context, const Column& column, ArrowArray& out) {
  if (const auto* fixed = std::get_if<FixedColumn>(&column)) {
    describe(context, *fixed, nullptr, out);
  } else if (const auto* bits = std::get_if<BitColumn>(&column)) {
    auto owner = owner_for(context, bits->rows);
    owner->buffers[1] = pointer_to(bits->bits.address());
    hand_over(std::move(owner), bits->validity, 2, out);
  } else if (const auto* strings = std::get_if<StringColumn>(&column)) {
    describe(context, *strings, out);
  } else {
    const auto& coded = std::get<DictionaryColumn>(column);
    describe(context, coded.indices, &coded.dictionary, out);
  }
}

DeviceOwner& owner_of(const ArrowArray& array) {
  return static_cast<DeviceOwner&>(*static_cast<arrow::ArrayOwner*>(array.private_data));
}

// Moves a column into the arrays that describe it; take() moves it out of them.
void fill(const ArrowArray& array, Column&& column) noexcept {
  auto* coded = std::get_if<DictionaryColumn>(&column);
  if (!coded) {
    owner_of(array).column = std::move(column);
    return;
  }
  owner_of(array).column = std::move(coded->indices);
  owner_of(*array.dictionary).column = std::move(coded->dictionary);
}

Column take(const ArrowArray& array, bool ordered) noexcept {
  Column column = std::move(*owner_of(array).column);
  if (!array.dictionary) return column;
  return DictionaryColumn{
      .indices = std::move(std::get<FixedColumn>(column)),
      .dictionary = std::move(std::get<StringColumn>(*owner_of(*array.dictionary).column)),
      .ordered = ordered};
}

void write_device_array(const Context& context, const ArrowArray& array, ArrowDeviceArray& out) {
  out = ArrowDeviceArray{
      .array = array, .device_id = device_id(context), .device_type = ARROW_DEVICE_VULKAN};
}

// Throws Error unless the array is one of this Context, as it was exported.
void check_ours(const Context& context, const ArrowArray& array, const std::string& name) {
  if (!array.release) {
    refuse(Status::invalid_argument, name, "the array has been released, or moved elsewhere");
  }
  if (array.release != release_device) {
    refuse(Status::unsupported, name,
           "the array does not come from export_column or export_batch; what its buffers are is "
           "not known");
  }
  const DeviceOwner& owner = owner_of(array);
  if (owner.device != &context.device()) {
    refuse(Status::invalid_argument, name, "the array belongs to another Context");
  }
  if (array.offset != 0 || array.length != static_cast<std::int64_t>(owner.rows)) {
    refuse(Status::unsupported, name,
           "length " + std::to_string(array.length) + " at offset " + std::to_string(array.offset) +
               " of an array of " + std::to_string(owner.rows) + " rows; all must come back");
  }
}

void check_ours(const Context& context, const ArrowDeviceArray& array, const std::string& name) {
  if (array.device_type != ARROW_DEVICE_VULKAN) {
    refuse(Status::unsupported, name,
           "device_type is " + std::to_string(array.device_type) + ", must be 7, Vulkan");
  }
  check_ours(context, array.array, name);
}

char format_of(const ArrowArray& array) {
  const std::optional<Column>& column = owner_of(array).column;
  return column ? arrow::layout_of(*column, {}).format : '+';
}

// Throws Error for the same reasons, and if the schema does not fit.
void check_ours(const Context& context, const ArrowArray& array, const arrow::Layout& layout) {
  const std::string& name = layout.field.name;
  check_ours(context, array, name);
  if (array.dictionary) check_ours(context, *array.dictionary, name + ".dictionary");
  const char format = format_of(array);
  const char dictionary_format = array.dictionary ? format_of(*array.dictionary) : '\0';
  if (format == layout.format && dictionary_format == layout.dictionary_format) return;
  refuse(Status::invalid_argument, name,
         std::string("the schema's format is ") + layout.format + ", the array's is " + format +
             (dictionary_format == layout.dictionary_format ? "" : "; their dictionaries differ"));
}

}  // namespace

bool arrow::is_in_device_memory(const ArrowArray& array) { return array.release == release_device; }

void export_column(Context& context, Column&& column, const Field& field, ArrowDeviceArray& array,
                   ArrowSchema& schema) {
  check_pointers();
  arrow::check_column(column, field.name);
  ArrowSchema type{};
  arrow::write_schema(arrow::layout_of(column, field), type);
  arrow::ReleaseAtEnd discard_type(type);
  ArrowArray described{};
  arrow::ReleaseAtEnd discard_array(described);
  describe(context, column, described);
  context.wait_idle();
  fill(described, std::move(column));
  write_device_array(context, std::exchange(described, {}), array);
  schema = std::exchange(type, {});
}

void export_batch(Context& context, Batch&& batch, ArrowDeviceArray& array, ArrowSchema& schema) {
  check_pointers();
  const std::vector<arrow::Layout> layouts = arrow::check_batch(batch);
  ArrowSchema type{};
  arrow::write_batch_schema(layouts, type);
  arrow::ReleaseAtEnd discard(type);
  auto owner = owner_for(context, batch.rows);
  owner->children.resize(batch.columns.size());
  for (std::size_t i = 0; i < batch.columns.size(); ++i) {
    owner->child_pointers.push_back(&owner->children[i]);
    describe(context, batch.columns[i], owner->children[i]);
  }
  context.wait_idle();
  for (std::size_t i = 0; i < batch.columns.size(); ++i) {
    fill(owner->children[i], std::move(batch.columns[i]));
  }
  batch = {};
  ArrowArray described{};
  hand_over(std::move(owner), {}, 1, described);
  write_device_array(context, described, array);
  schema = std::exchange(type, {});
}

Column import_column(Context& context, ArrowDeviceArray& array, ArrowSchema& schema, Field* field) {
  arrow::Layout layout = arrow::layout_of(schema);
  check_ours(context, array, layout.field.name);
  check_ours(context, array.array, layout);
  Column column = take(array.array, layout.ordered);
  array.array.release(&array.array);
  schema.release(&schema);
  if (field) *field = std::move(layout.field);
  return column;
}

Batch import_batch(Context& context, ArrowDeviceArray& array, ArrowSchema& schema) {
  const std::vector<arrow::Layout> layouts = arrow::batch_layouts_of(schema);
  check_ours(context, array, "");
  if (owner_of(array.array).column || array.array.n_children != std::int64_t(layouts.size())) {
    refuse(Status::invalid_argument, "",
           "the array is no record batch of " + std::to_string(layouts.size()) + " columns");
  }
  Batch batch{.rows = owner_of(array.array).rows};
  batch.columns.reserve(layouts.size());
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    check_ours(context, *array.array.children[i], layouts[i]);
    batch.fields.push_back(layouts[i].field);
  }
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    batch.columns.push_back(take(*array.array.children[i], layouts[i].ordered));
  }
  array.array.release(&array.array);
  schema.release(&schema);
  return batch;
}

}  // namespace vkprims
