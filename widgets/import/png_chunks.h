// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vqscope {

/// What a PNG file says of itself first.
struct PngHeader {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  unsigned depth = 0;   ///< bits of a channel
  unsigned colour = 0;  ///< 0 grey, 2 colours, 3 a palette, 4 grey and alpha, 6 colours and alpha
  bool interlaced = false;

  std::uint64_t channels() const;
  /// Before they are deflated: each row begins with a byte for its filter.
  std::uint64_t row_bytes(std::uint64_t columns) const { return 1 + (columns * depth * channels() + 7) / 8; }
};

/// Checks the signature, and depth, colour and sizes against the standard's.
Result<PngHeader> readPngHeader(std::string_view bytes);

/// The same image without what it could do without: header, palette and pixels. Each chunk's checksum, the order of the
/// chunks, and the deflated rows down to their filters are right: a decoder has nothing left to find.
Result<std::string> essentialPng(std::string_view bytes, const PngHeader& header);

}  // namespace vqscope
