// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace vqscope::test {

inline std::string big_endian_bytes(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

/// The checksum of PNG, bit by bit.
inline std::uint32_t png_checksum(const std::string& bytes) {
  std::uint32_t sum = 0xffffffff;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

inline std::string png_chunk(const std::string& type, const std::string& data) {
  return big_endian_bytes(static_cast<std::uint32_t>(data.size())) + type + data +
         big_endian_bytes(png_checksum(type + data));
}

/// A zlib stream of one block without compression: at most 65,535 bytes.
inline std::string stored_zlib(const std::string& bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  const auto size = static_cast<unsigned>(bytes.size());
  std::string stream("\x78\x01\x01", 3);
  for (const unsigned part : {size, ~size})
    for (const unsigned shift : {0U, 8U}) stream += static_cast<char>(part >> shift & 0xff);
  return stream + bytes + big_endian_bytes(b << 16 | a);
}

/// Parts of a PNG image. Colour: 0 grey, 2 colours, 3 a palette, 4 grey and alpha, 6 colours and
/// alpha.
struct PngParts {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  unsigned depth = 8;
  unsigned colour = 0;
  std::string palette = {};
  std::string rows;  ///< each begins with its filter
};

inline std::string png_bytes(const PngParts& parts) {
  std::string header = big_endian_bytes(parts.width) + big_endian_bytes(parts.height);
  header += {static_cast<char>(parts.depth), static_cast<char>(parts.colour), 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) +
         (parts.palette.empty() ? "" : png_chunk("PLTE", parts.palette)) + png_chunk("IDAT", stored_zlib(parts.rows)) +
         png_chunk("IEND", "");
}

}  // namespace vqscope::test
