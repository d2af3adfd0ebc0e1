// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/layer_positions.h"

#include "core/base/sentence.h"

#include <cmath>

namespace vqscope {

Result<LayerPositions> layer_positions(const Capture& capture, Index layer) {
  constexpr Index most = Index{1} << 26;
  const CapturedTensor* tensor = capture.find(layer, TensorRole::position_ids);
  if (!tensor) return LayerPositions{};
  const auto& n = tensor->shape;
  const Index tokens = n.empty() ? 0 : n.back(), entries = n.size() > 1 ? n[n.size() - 2] : 1;
  const Index axes = n.size() == 3 ? n[0] : 1;
  if (n.empty() || n.size() > 3 || (axes != 1 && axes != 3) || tokens < 1 || entries < 1 || tokens > most / 3 / entries)
    return invalid("layer {}: the shape of position_ids must be [T], [B, T] or [3, B, T]", layer);
  const auto numbers = StoredNumbers::open(*tensor);
  if (!numbers) return numbers.error();
  std::vector<float> values(static_cast<std::size_t>(axes * entries * tokens));
  if (auto read = numbers->read(0, values); !read) return read.error();
  for (const float value : values)
    if (!(std::abs(value) < 0x1p40F)) return invalid("layer {}: position_ids holds {}", layer, to_text(value));
  LayerPositions positions(static_cast<std::size_t>(axes));
  for (Index row = 0; row < axes * entries; ++row) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * tokens);
    positions[static_cast<std::size_t>(row / entries)].emplace_back(begin, begin + static_cast<std::ptrdiff_t>(tokens));
  }
  return positions;
}

}  // namespace vqscope
