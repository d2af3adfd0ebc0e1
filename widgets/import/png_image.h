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

/// Decodes PNG alone, whatever else Qt could read. What the header says of the size is checked against the bytes that
/// are there and against a budget of memory before anything is decoded.
Result<GreyImage> readPng(const std::string& bytes);

}  // namespace vqscope
