// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/png/png_image.h"

#include "core/base/text.h"
#include "core/io/png/png_chunks.h"
#include "core/io/zip/inflated.h"

#include <png.h>
#include <memory>

namespace vqscope {
namespace {

constexpr std::uint64_t largest_image = std::uint64_t{128} << 20;

bool is_grey(const PngHeader& header) { return header.colour == 0; }

/// One byte of grey, or four of a colour.
std::uint64_t decoded_bytes(const PngHeader& header) {
  return header.width * header.height * (is_grey(header) ? 1 : 4);
}

/// libpng refuses longer sides.
constexpr std::uint64_t longest_side = 1'000'000;

/// Called before anything is decoded. Sizes have 31 bits each, so their product fits into 64 bits,
/// and so do four bytes for each pixel once the number of pixels is within the budget.
Result<void> check_size(const PngHeader& header, std::size_t bytes) {
  const std::string size =
      to_text(static_cast<Index>(header.width)) + " x " + to_text(static_cast<Index>(header.height)) + " pixels";
  if (header.width * header.height > largest_image || decoded_bytes(header) > largest_image)
    return Error{Errc::too_large, "the image has " + size + ", which need more than the limit of " +
                                      byte_count(static_cast<double>(largest_image)) + "; save the mask as .npy"};
  if (header.width > longest_side || header.height > longest_side)
    return Error{Errc::too_large, "the image has " + size + " but must have at most " +
                                      to_text(static_cast<Index>(longest_side)) +
                                      " rows and columns; save the mask as .npy"};
  if (header.height * header.row_bytes(header.width) / most_expansion > bytes && !header.interlaced)
    return invalid("the PNG image is damaged: its header says that it has " + size + ", which it cannot hold in " +
                   to_text(static_cast<Index>(bytes)) + " bytes");
  return {};
}

struct EndImage {
  void operator()(png_image* image) const { png_image_free(image); }
};

/// Decodes bytes of essential_png().
Result<GreyImage> decoded(const std::string& bytes, const PngHeader& header) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, EndImage> end(&image);
  const auto failed = [&] { return invalid("not a PNG image: " + shortened(image.message)); };
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) return failed();
  image.format = is_grey(header) ? PNG_FORMAT_GRAY : PNG_FORMAT_RGBA;
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  GreyImage grey{.extent = {image.height, image.width}, .pixels = {}};
  std::vector<std::uint8_t>& pixels = grey.pixels;
  pixels.resize(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0) return failed();
  if (is_grey(header)) return grey;
  for (std::size_t i = 0; i + 3 < pixels.size(); i += 4)
    pixels[i / 4] = static_cast<std::uint8_t>((11 * pixels[i] + 16 * pixels[i + 1] + 5 * pixels[i + 2]) / 32);
  pixels.resize(pixels.size() / 4);
  return grey;
}

}  // namespace

Result<GreyImage> read_png(const std::string& bytes) {
  const auto header = read_png_header(bytes);
  if (!header) return header.error();
  if (auto checked = check_size(*header, bytes.size()); !checked) return checked.error();
  const auto essential = essential_png(bytes, *header);
  if (!essential) return essential.error();
  return decoded(*essential, *header);
}

}  // namespace vqscope
