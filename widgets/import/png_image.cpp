// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/png_image.h"

#include "core/base/text.h"

#include <QBuffer>
#include <QImage>
#include <QImageReader>

#include <climits>
#include <cstring>

namespace vqscope {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t headerEnd = 33;  // signature, and the chunk IHDR with its checksum
/// Deflate makes at most 1032 bytes of one.
constexpr std::uint64_t mostExpansion = 1032;
/// Pixels as Qt holds them: four bytes of a colour.
constexpr std::uint64_t largestImage = std::uint64_t{128} << 20;
constexpr std::uint64_t mostChannels = 4;

std::uint64_t bigEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

struct Header {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint64_t depth = 0;  ///< bits of a channel
  std::uint64_t channels = 1;

  /// Of the deflated data, at least: each row begins with a byte for its filter.
  std::uint64_t rawBytes() const { return height * (1 + (width * depth * channels + 7) / 8); }
  std::uint64_t decodedBytes() const {
    const std::uint64_t pixel = channels == 1 && depth <= 8 ? 1 : depth == 16 ? 2 * mostChannels : mostChannels;
    return width * height * pixel;
  }
};

std::uint64_t channelsOf(unsigned char colourType) {
  switch (colourType) {
    case 2: return 3;
    case 4: return 2;
    case 6: return 4;
    default: return 1;
  }
}

Result<Header> readHeader(std::string_view bytes) {
  if (!bytes.starts_with(signature)) return invalid("not a PNG image: it does not begin as one");
  if (bytes.size() < headerEnd || bytes.substr(12, 4) != "IHDR") return invalid("not a PNG image: its header is cut short");
  const Header header{bigEndian(bytes.substr(16, 4)), bigEndian(bytes.substr(20, 4)), bigEndian(bytes.substr(24, 1)),
                      channelsOf(static_cast<unsigned char>(bytes[25]))};
  const std::string size = to_text(static_cast<Index>(header.width)) + " x " +
                           to_text(static_cast<Index>(header.height)) + " pixels";
  if (header.width == 0 || header.height == 0 || header.width > INT_MAX || header.height > INT_MAX)
    return invalid("not a PNG image: its header says that it has " + size);
  // Each factor has 31 bits, and a pixel at most 64: the products fit into 64 bits after this.
  if (header.width * header.height > largestImage || header.decodedBytes() > largestImage)
    return Error{Errc::too_large, "the image has " + size + ", as many as " +
                                      byte_count(static_cast<double>(largestImage)) +
                                      " hold are read; save the mask as .npy"};
  if (header.rawBytes() / mostExpansion > bytes.size())
    return invalid("the image is damaged: its header says that it has " + size + ", which PNG cannot hold in " +
                   to_text(static_cast<Index>(bytes.size())) + " bytes");
  return header;
}

}  // namespace

Result<GreyImage> readPng(const std::string& bytes) {
  const auto header = readHeader(bytes);
  if (!header) return header.error();
  QBuffer buffer;
  buffer.setData(QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())));
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
