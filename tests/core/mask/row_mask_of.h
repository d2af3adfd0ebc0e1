// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/row_mask.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace vqscope::test {

/// A mask that is known by its rows alone, of these terms.
inline std::shared_ptr<RowMask> row_mask_of(const SequenceInput& input, std::vector<std::string> terms,
                                            Index prefix = 0, Index window = 1) {
  return std::make_shared<RowMask>(*MaskCase{*SequenceLayout::make(input), std::move(terms), prefix, window}.mask());
}

}  // namespace vqscope::test
