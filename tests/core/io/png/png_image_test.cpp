// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/png/png_image.h"

#include "tests/core/io/png/png_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Pixels = std::vector<std::uint8_t>;

/// Eight rows of eight white pixels.
std::string white_png() {
  std::string rows;
  for (int row = 0; row < 8; ++row) rows += std::string(1, '\0') + std::string(8, '\xff');
  return png_bytes({.width = 8, .height = 8, .rows = rows});
}

std::string with_size(std::string bytes, std::uint32_t width, std::uint32_t height) {
  bytes.replace(16, 8, big_endian_bytes(width) + big_endian_bytes(height));
  return bytes.replace(29, 4, big_endian_bytes(png_checksum(bytes.substr(12, 17))));
}

Pixels pixels_of(const PngParts& parts) {
  const auto image = read_png(png_bytes(parts));
  return image ? image->pixels : Pixels();
}

}  // namespace

class PngImageTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Green weighs most, then red.
  void colours_become_grey() {
    QCOMPARE(pixels_of({.width = 3, .height = 1, .rows = std::string("\0\x00\x80\xff", 4)}), (Pixels{0, 128, 255}));
    QCOMPARE(pixels_of({.width = 3, .height = 1, .colour = 2, .rows = std::string("\0\xff\0\0\0\xff\0\0\0\xff", 10)}),
             (Pixels{255 * 11 / 32, 255 * 16 / 32, 255 * 5 / 32}));
    const std::string palette("\0\0\0\xff\xff\xff", 6);
    QCOMPARE(
        pixels_of(
            {.width = 4, .height = 1, .depth = 1, .colour = 3, .palette = palette, .rows = std::string("\0\xa0", 2)}),
        (Pixels{255, 0, 255, 0}));
  }

  void transparency_is_ignored() {
    QCOMPARE(pixels_of({.width = 2, .height = 1, .colour = 4, .rows = std::string("\0\xff\0\0\xff", 5)}),
             (Pixels{255, 0}));
    QCOMPARE(pixels_of({.width = 1, .height = 1, .colour = 6, .rows = std::string("\0\xff\xff\xff\0", 5)}),
             (Pixels{255}));
  }

  void high_byte_of_16_bit_pixels_is_used() {
    QCOMPARE(pixels_of({.width = 3, .height = 1, .depth = 16, .rows = std::string("\0\0\0\x80\x80\xff\xff", 7)}),
             (Pixels{0, 128, 255}));
  }

  /// Other formats, which a library might detect by their contents: eight million rows of 80 bytes
  /// of text.
  void other_images() {
    for (const char* bytes : {"P1\n1 8000000\n0 1", "/* XPM */\nstatic char*x[]={\"1 8000000 1 1\"};", "<svg/>", ""})
      COMPARE_ERROR(read_png(bytes), "not a PNG image: the signature is missing");
  }

  void headers_with_wrong_sizes() {
    const std::string bytes = white_png();
    const auto error_of = [&](std::uint32_t width, std::uint32_t height) {
      return read_png(with_size(bytes, width, height));
    };
    COMPARE_ERROR(error_of(1, 900'000),
                  "the PNG image is damaged: its header says that it has 1 x 900000 pixels, which it cannot hold in " +
                      std::to_string(bytes.size()) + " bytes");
    COMPARE_ERROR(
        error_of(1, 8'000'000),
        "the image has 1 x 8000000 pixels but must have at most 1000000 rows and columns; save the mask as .npy");
    COMPARE_ERROR(error_of(0x7fffffff, 0x7fffffff),
                  "the image has 2147483647 x 2147483647 pixels, which need more than the limit of 128 MiB; save the "
                  "mask as .npy");
    COMPARE_ERROR(error_of(8, 9), "the PNG image is damaged: its pixels are cut short");
  }

  /// Whichever byte is changed, the decoder gets no impossible request.
  void damaged_bytes() {
    const std::string whole = white_png();
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
      const auto image = read_png(bytes);
      QVERIFY2(!image || image->extent == (Extent{8, 8}), std::to_string(at).c_str());
      QVERIFY(!read_png(whole.substr(0, at)));
    }
  }
};

VQSCOPE_TEST(PngImageTest)
#include "png_image_test.moc"
