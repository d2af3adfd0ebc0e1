// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// A matrix from a file that a tensor parameter names.
struct TensorMatrix {
  std::string title;  ///< "q_tensor = qk.npz:q is [10, 64]", which errors begin with
  Index rows = 0;     ///< a vector is a column
  Index cols = 0;
  std::vector<float> numbers;  ///< [rows, cols], finite

  std::span<const float> row(Index index) const {
    return std::span(numbers).subspan(static_cast<std::size_t>(index * cols), static_cast<std::size_t>(cols));
  }
};

/// Maximum number of elements.
inline constexpr Index most_matrix_numbers = Index{1} << 25;

/// Reads FILE, FILE:NAME or FILE:NAME[layer,head]. Errors name the parameter, the file and what is allowed.
Result<TensorMatrix> read_tensor_matrix(const std::string& parameter, const std::string& text);

}  // namespace vqscope
