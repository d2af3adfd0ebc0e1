// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/kernels/kernels.h"

#include <vector>

namespace vqscope::test {

/// Rows of `width` values that stand one after another.
inline StridedMatrix rows_of(const std::vector<float>& values, Index width) {
  return {values.data(), static_cast<Index>(values.size()) / width, width, width};
}

}  // namespace vqscope::test
