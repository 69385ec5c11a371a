// Pictures: their differences, and as PNG files.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>

#include "png_file.hpp"

namespace scene2d {

TEST_CASE("PNG: a picture is written and read") {
  const Picture picture{
      3, 2, {0xff000000, 0xff0000ff, 0xff00ff00, 0xffff0000, 0xff123456, 0xffffffff}};
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() /
      ("scene2d-tests-" + std::to_string(std::random_device()()));
  std::filesystem::create_directory(directory);
  const std::string file = (directory / "a.png").string();
  write_png(file, picture);
  const Picture again = read_png(file);
  CHECK((again.width == 3 && again.height == 2));
  CHECK(again.pixels == picture.pixels);
  std::ofstream(file, std::ios::binary | std::ios::trunc) << "this is no PNG file";
  CHECK_THROWS_AS(read_png(file), std::runtime_error);
  CHECK_THROWS_AS(write_png((directory / "none" / "a.png").string(), picture), std::runtime_error);
  std::filesystem::remove_all(directory);
  CHECK_THROWS_WITH_AS(read_png(file), doctest::Contains(file.c_str()), std::runtime_error);
}

TEST_CASE("picture: differences are counted, and measured by channel") {
  const Picture a{3, 1, {0xff000000, 0xff0000ff, 0xff123456}};
  Picture b = a;
  CHECK(compare(a, b).largest == 0);
  b.pixels[1] = 0xff0000f0;  // 15 less
  b.pixels[2] = 0xff123457;  // 1 more
  const Difference difference = compare(a, b);
  CHECK(difference.pixels_above_1 == 1);
  CHECK(difference.largest == 15);
  CHECK(difference.mean == doctest::Approx(16 / 9.0));
  CHECK_THROWS_AS(compare(a, Picture{1, 3, a.pixels}), std::invalid_argument);
}

}  // namespace scene2d
