// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/count_budget.h"

namespace vqscope {

/// Whether a part that took a sixteenth of the budget shows that the whole takes more than twice the budget.
inline bool is_hopeless(const CountBudget& budget, double part_done) {
  return budget.most - budget.left.load() > budget.most / 16 &&
         budget.steps_of_all(part_done) > 2 * static_cast<double>(budget.most);
}

}  // namespace vqscope
