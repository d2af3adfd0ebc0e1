// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/map/block_view.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/row_mask.h"

#include <memory>

namespace vqscope::test {

/// Blocks of a random mask; every third is known by its rows alone.
inline BlockView random_view(Random& random, int i) {
  std::shared_ptr<const Mask> mask = random_case(random).mask();
  if (i % 3 == 0) mask = std::make_shared<RowMask>(*mask);
  return {mask, {pick(random, 1, 9), pick(random, 1, 9)}};
}

}  // namespace vqscope::test
