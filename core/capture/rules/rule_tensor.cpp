// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rules/rule_tensor.h"

#include "core/capture/store/visible_cells.h"

namespace vqscope {
Result<std::vector<float>> row_of(const LayerTensor& tensor, Index batch, Index head, Index row) {
  const auto& extent = tensor.reading.extent;
  const auto only = [](Index at, Index count) { return count == 1 ? Range{0, 1} : Range{at, at + 1}; };
  std::vector<float> values(static_cast<std::size_t>(extent[3]));
  const std::array<Range, 4> block{only(batch, extent[0]), only(head, extent[1]), only(row, extent[2]), {0, extent[3]}};
  if (auto read = tensor.read(block, values); !read) return read.error();
  return values;
}

Result<std::vector<bool>> visible_keys(const LayerTensor& mask, Index batch, Index head, Index row) {
  const auto& extent = mask.reading.extent;
  const auto is_there = [](Index at, Index count) { return count == 1 || at < count; };
  if (!is_there(batch, extent[0]) || !is_there(head, extent[1]) || !is_there(row, extent[2]))
    return std::vector<bool>();
  auto values = row_of(mask, batch, head, row);
  if (!values) return values.error();
  make_visible(*values, mask.numbers.unit() == 0);
  return std::vector<bool>(values->begin(), values->end());
}

}  // namespace vqscope
