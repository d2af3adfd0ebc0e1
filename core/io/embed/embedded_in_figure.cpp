// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/embed/embedded_in_figure.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>

namespace vqscope {
namespace {

constexpr std::size_t end_chunk = 12;  // IEND: length, name, no data, checksum
constexpr std::string_view end_name = "IEND";
constexpr std::size_t most_text = std::size_t{1} << 30;
constexpr std::string_view root_end = "</svg>";

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

}  // namespace

std::string png_with_text(std::string png, std::string_view text) {
  if (png.size() < end_chunk || text.size() > most_text) return png;
  const std::size_t end = png.size() - end_chunk;
  if (std::string_view(png).substr(end + 4, end_name.size()) != end_name) return png;
  std::string chunk("tEXtvqscope");
  chunk += '\0';
  chunk += text;
  const auto checksum =
      crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
  const auto length = static_cast<std::uint32_t>(chunk.size() - 4);  // of the data, without the name
  png.insert(end, big_endian(length) + chunk + big_endian(static_cast<std::uint32_t>(checksum)));
  return png;
}

std::string svg_with_text(std::string svg, std::string_view text) {
  const std::size_t end = svg.rfind(root_end);
  if (end != std::string::npos) svg.insert(end, "<metadata>" + std::string(text) + "</metadata>\n");
  return svg;
}

}  // namespace vqscope
