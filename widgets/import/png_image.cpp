// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/png_image.h"

#include "core/base/text.h"
#include "widgets/import/png_chunks.h"

#include <QBuffer>
#include <QImage>
#include <QImageReader>

#include <cstring>

namespace vqscope {
namespace {

/// Deflate expands one byte to at most 1032 bytes.
constexpr std::uint64_t mostExpansion = 1032;
/// Pixels as Qt holds them: one byte of grey, four of a colour, eight of a deep one.
constexpr std::uint64_t largestImage = std::uint64_t{128} << 20;

std::uint64_t decodedBytes(const PngHeader& header) {
  const std::uint64_t pixel = header.depth == 16 ? 8 : header.channels() == 1 ? 1 : 4;
  return header.width * header.height * pixel;
}

/// The decoding library refuses longer sides.
constexpr std::uint64_t longestSide = 1'000'000;

/// Called before anything is decoded. Sizes have 31 bits each, so their product fits into 64 bits, and so do eight
/// bytes for each pixel once the number of pixels is within the budget.
Result<void> checkSize(const PngHeader& header, std::size_t bytes) {
  const std::string size =
      to_text(static_cast<Index>(header.width)) + " x " + to_text(static_cast<Index>(header.height)) + " pixels";
  if (header.width * header.height > largestImage || decodedBytes(header) > largestImage)
    return Error{Errc::too_large, "the image has " + size + ", which need more than the limit of " +
                                      byte_count(static_cast<double>(largestImage)) + "; save the mask as .npy"};
  if (header.width > longestSide || header.height > longestSide)
    return Error{Errc::too_large, "the image has " + size + ", must have at most " +
                                      to_text(static_cast<Index>(longestSide)) +
                                      " rows and columns; save the mask as .npy"};
  if (header.height * header.row_bytes(header.width) / mostExpansion > bytes && !header.interlaced)
    return invalid("the PNG image is damaged: its header says that it has " + size + ", which it cannot hold in " +
                   to_text(static_cast<Index>(bytes)) + " bytes");
  return {};
}

}  // namespace

Result<GreyImage> readPng(const std::string& bytes) {
  const auto header = readPngHeader(bytes);
  if (!header) return header.error();
  if (auto checked = checkSize(*header, bytes.size()); !checked) return checked.error();
  const auto essential = essentialPng(bytes, *header);
  if (!essential) return essential.error();
  QBuffer buffer;
  buffer.setData(QByteArray::fromRawData(essential->data(), static_cast<qsizetype>(essential->size())));
  buffer.open(QIODevice::ReadOnly);
  QImageReader reader(&buffer, "png");
  reader.setAutoDetectImageFormat(false);
  QImage image;
  if (!reader.read(&image)) return invalid("not a PNG image: " + shortened(reader.errorString().toStdString()));
  image.convertTo(QImage::Format_Grayscale8);
  GreyImage grey{.extent = {image.height(), image.width()}, .pixels = {}};
  grey.pixels.resize(static_cast<std::size_t>(grey.extent.rows * grey.extent.cols));
  for (int row = 0; row < image.height(); ++row)
    std::memcpy(grey.pixels.data() + static_cast<std::size_t>(row * grey.extent.cols), image.constScanLine(row),
                static_cast<std::size_t>(grey.extent.cols));
  return grey;
}

}  // namespace vqscope
