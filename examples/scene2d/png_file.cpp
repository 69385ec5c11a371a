// Writes and reads PNG files with the simplified interface of libpng.
#include "png_file.hpp"

#include <png.h>

#include <bit>
#include <stdexcept>

namespace scene2d {

// libpng takes pixels as bytes r, g, b, a.
static_assert(std::endian::native == std::endian::little);

namespace {

png_image empty_image() {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  return image;
}

// libpng has released what an image holds when it reports an error.
[[noreturn]] void fail(const char* what, const std::string& path, const png_image& image) {
  throw std::runtime_error(std::string("The file ") + path + " cannot be " + what + ": " +
                           image.message + ".");
}

}  // namespace

void write_png(const std::string& path, const Picture& picture) {
  png_image image = empty_image();
  image.width = picture.width;
  image.height = picture.height;
  image.format = PNG_FORMAT_RGBA;
  if (!png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr))
    fail("written", path, image);
}

Picture read_png(const std::string& path) {
  png_image image = empty_image();
  if (!png_image_begin_read_from_file(&image, path.c_str())) fail("read", path, image);
  image.format = PNG_FORMAT_RGBA;
  Picture picture{image.width, image.height, {}};
  picture.pixels.resize(std::size_t{image.width} * image.height);
  if (!png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr))
    fail("read", path, image);
  return picture;
}

}  // namespace scene2d
