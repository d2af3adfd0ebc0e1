// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/recipe/recipe.h"

#include <cmath>

namespace vqscope {

void rotate_rows(TensorBlock& x, const RopeLaw& rope, const std::vector<std::vector<std::vector<double>>>& positions,
                 std::span<const Index> rows, bool inverse) {
  if (!rope.rotates) return;
  const auto pairs = static_cast<Index>(rope.inv_freq.size()), dims = x.extent[3];
  if (2 * pairs > dims) return;
  std::vector<double> cos(static_cast<std::size_t>(pairs)), sin(cos.size());
  for (Index entry = 0; entry < x.extent[0]; ++entry)
    for (Index t = 0; t < x.extent[2]; ++t) {
      const auto row = static_cast<std::size_t>(rows[static_cast<std::size_t>(t)]);
      for (std::size_t pair = 0; pair < cos.size(); ++pair) {
        const auto axis = static_cast<std::size_t>(rope.axis.empty() ? 0 : rope.axis[pair]);
        const auto& list = positions[axis < positions.size() ? axis : 0][static_cast<std::size_t>(entry)];
        const double angle = list[row] * rope.inv_freq[pair];
        const double factor = inverse ? 1 / rope.attention_factor : rope.attention_factor;
        cos[pair] = std::cos(angle) * factor;
        sin[pair] = (inverse ? -std::sin(angle) : std::sin(angle)) * factor;
      }
      for (Index head = 0; head < x.extent[1]; ++head) {
        const auto values = x.row(entry, head, t);
        for (Index pair = 0; pair < pairs; ++pair) {
          const auto [first, second] = dimensions_of(pair, pairs, rope.layout, dims);
          float &one = values[static_cast<std::size_t>(first)], &two = values[static_cast<std::size_t>(second)];
          const auto p = static_cast<std::size_t>(pair);
          const double u = static_cast<double>(one), v = static_cast<double>(two);
          one = static_cast<float>(u * cos[p] - v * sin[p]);
          two = static_cast<float>(v * cos[p] + u * sin[p]);
        }
      }
    }
}

std::vector<Index> keys_of_rows(const LayerSample& sample) {
  std::vector<Index> keys;
  for (const Index row : sample.rows) keys.push_back(row + sample.past);
  return keys;
}

}  // namespace vqscope
