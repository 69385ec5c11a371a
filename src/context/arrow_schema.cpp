// Arrow schemas: which layouts they describe, and how they are written.
#include <cstring>

#include "arrow_format.hpp"

namespace vkprims::arrow {
namespace {

// The private data of an exported ArrowSchema.
struct SchemaOwner {
  SchemaOwner() = default;
  SchemaOwner(const SchemaOwner&) = delete;
  ~SchemaOwner() {
    for (ArrowSchema& child : children) {
      if (child.release) child.release(&child);
    }
    if (dictionary.release) dictionary.release(&dictionary);
  }

  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  ArrowSchema dictionary{};
};

void release_schema(ArrowSchema* schema) {
  delete static_cast<SchemaOwner*>(schema->private_data);
  schema->release = nullptr;
}

void hand_over(std::unique_ptr<SchemaOwner> owner, std::int64_t flags, ArrowSchema& out) noexcept {
  SchemaOwner* const kept = owner.release();
  out = ArrowSchema{.format = kept->format.c_str(),
                    .name = kept->name.c_str(),
                    .flags = flags,
                    .n_children = static_cast<std::int64_t>(kept->children.size()),
                    .children = kept->child_pointers.data(),
                    .dictionary = kept->dictionary.release ? &kept->dictionary : nullptr,
                    .release = release_schema,
                    .private_data = kept};
}

// The only letter of the format; 0 if the format is not a single letter.
char letter_of(const ArrowSchema& schema) {
  return std::strlen(schema.format) == 1 ? schema.format[0] : '\0';
}

void check_alive(const ArrowSchema& schema, const std::string& name) {
  if (!schema.release) refuse(Status::invalid_argument, name, "the schema has been released");
  if (!schema.format) refuse(Status::invalid_argument, name, "the schema has no format");
}

char dictionary_format_of(const ArrowSchema& schema, const std::string& name) {
  check_alive(schema, name + ".dictionary");
  const char format = letter_of(schema);
  if (!is_strings(format) || schema.dictionary) {
    refuse(Status::unsupported, name,
           std::string("a dictionary of format '") + schema.format + "'; u and U can be imported");
  }
  return format;
}

}  // namespace

void refuse(Status::Code code, const std::string& name, const std::string& what) {
  const std::string whose = name.empty() ? "Arrow array" : "Arrow column '" + name + "'";
  throw Error(Status::error(code, "%s: %s", whose.c_str(), what.c_str()));
}

Layout layout_of(const ArrowSchema& schema) {
  Layout layout{.field = {schema.release && schema.name ? schema.name : "",
                          (schema.flags & ARROW_FLAG_NULLABLE) != 0}};
  const std::string& name = layout.field.name;
  check_alive(schema, name);
  layout.format = letter_of(schema);
  const bool fixed = element_bytes(layout.format) != 0;
  if (!fixed && layout.format != 'b' && !is_strings(layout.format)) {
    refuse(
        Status::unsupported, name,
        std::string("format '") + schema.format + "'; c C s S i I l L e f g b u U can be imported");
  }
  if (schema.n_children != 0) {
    refuse(Status::invalid_argument, name,
           "the schema has " + std::to_string(schema.n_children) + " children, not 0");
  }
  if (schema.dictionary) {
    if (!fixed || std::strchr("efg", layout.format)) {
      refuse(Status::invalid_argument, name,
             std::string("indices into a dictionary of format '") + schema.format +
                 "', not of integers");
    }
    layout.dictionary_format = dictionary_format_of(*schema.dictionary, name);
    layout.ordered = (schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
  }
  return layout;
}

std::vector<Layout> batch_layouts_of(const ArrowSchema& schema) {
  check_alive(schema, "");
  if (std::strcmp(schema.format, "+s")) {
    refuse(Status::invalid_argument, "",
           std::string("format '") + schema.format + "' is no record batch; that is +s");
  }
  if (schema.n_children < 0 || (schema.n_children && !schema.children) || schema.dictionary) {
    refuse(Status::invalid_argument, "",
           "the schema of a record batch has " + std::to_string(schema.n_children) + " children" +
               (schema.dictionary ? " and a dictionary" : " and no pointers to them"));
  }
  std::vector<Layout> layouts;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (!schema.children[i]) {
      refuse(Status::invalid_argument, "", "schema child " + std::to_string(i) + " is null");
    }
    layouts.push_back(layout_of(*schema.children[i]));
  }
  return layouts;
}

void write_schema(const Layout& layout, ArrowSchema& out) {
  auto owner = std::make_unique<SchemaOwner>();
  owner->format = layout.format;
  owner->name = layout.field.name;
  if (layout.dictionary_format) {
    write_schema({.format = layout.dictionary_format}, owner->dictionary);
  }
  hand_over(std::move(owner),
            (layout.field.nullable ? ARROW_FLAG_NULLABLE : 0) |
                (layout.ordered ? ARROW_FLAG_DICTIONARY_ORDERED : 0),
            out);
}

void write_batch_schema(const std::vector<Layout>& layouts, ArrowSchema& out) {
  auto owner = std::make_unique<SchemaOwner>();
  owner->format = "+s";
  owner->children.resize(layouts.size());
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    write_schema(layouts[i], owner->children[i]);
    owner->child_pointers.push_back(&owner->children[i]);
  }
  hand_over(std::move(owner), 0, out);
}

}  // namespace vkprims::arrow
