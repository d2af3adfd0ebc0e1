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

/// Decodes PNG only, although Qt reads other formats. Before decoding, checks the size in the header against the bytes
/// of the file and a memory budget.
Result<GreyImage> readPng(const std::string& bytes);

}  // namespace vqscope
