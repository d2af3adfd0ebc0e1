// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/block_reader.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope {

double index_chars(const Range& range) { return static_cast<double>(to_text(range.end).size()); }

double cell_chars(const Field& field) {
  if (field.cell_type() == CellType::boolean) return 1;
  if (field.cell_type() == CellType::float32) return 15;  // -1.17549435e-38
  const auto [low, high] = field.value_range();
  const auto chars = [](double value) { return to_text(static_cast<Index>(value)).size(); };
  return static_cast<double>(std::max(chars(low), chars(high)));
}

}  // namespace vqscope
