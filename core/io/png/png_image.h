// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vqscope {

/// Row-major grey values, 0 is black.
struct GreyImage {
  Extent extent;
  std::vector<std::uint8_t> pixels;
};

/// Decodes a PNG image; colours become (11 red + 16 green + 5 blue) / 32, and transparency is
/// ignored. The size in the header is checked against the bytes of the file and a memory budget
/// before anything is decoded.
Result<GreyImage> read_png(const std::string& bytes);

}  // namespace vqscope
