// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vqscope {

/// Header of a PNG file.
struct PngHeader {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  unsigned depth = 0;   ///< bits of a channel
  unsigned colour = 0;  ///< 0 grey, 2 colours, 3 a palette, 4 grey and alpha, 6 colours and alpha
  bool interlaced = false;

  std::uint64_t channels() const;
  /// Bytes of a row before compression, including the first byte, its filter.
  std::uint64_t row_bytes(std::uint64_t columns) const { return 1 + (columns * depth * channels() + 7) / 8; }
};

/// Checks the signature, and depth, colour and sizes against the standard.
Result<PngHeader> read_png_header(std::string_view bytes);

/// Reduces the image to header, palette and pixels, after checking each chunk's checksum, the order
/// of the chunks, and the compressed rows with their filters: a decoder cannot fail on the result.
Result<std::string> essential_png(std::string_view bytes, const PngHeader& header);

}  // namespace vqscope
