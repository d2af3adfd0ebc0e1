// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <array>
#include <optional>
#include <string_view>

namespace vqscope::language {

/// The result of an operator or a function of one to three numbers; empty if it does not fit in 64
/// bits or is not defined.
struct NumberKernel {
  enum class Result { integer, truth, as_operands /* truth values of truth values */ };
  std::optional<Index> (*of_two)(Index a, Index b) = nullptr;
  std::optional<Index> (*of_any)(const std::array<Index, 3>& numbers) = nullptr;  ///< else
  Result result = Result::integer;

  std::optional<Index> of(const std::array<Index, 3>& numbers) const {
    return of_two ? of_two(numbers[0], numbers[1]) : of_any(numbers);
  }
};

/// The kernel of an operator, or of a function such as `minimum` and `where`; null: there is none.
const NumberKernel* number_kernel(std::string_view name);

}  // namespace vqscope::language
