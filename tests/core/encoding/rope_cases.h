// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/rope/rope_fields.h"
#include "core/method/method.h"
#include "tests/support/field_checks.h"

namespace vqscope::test {

/// Padding on either side, packed documents, a cache: whatever moves positions.
inline SequenceLayout random_layout(Random& random, Index longest) {
  SequenceInput input;
  input.q_length = pick(random, 1, longest);
  input.past_len = pick(random, 0, 1) * pick(random, 0, 5000);
  input.padding_side = pick(random, 0, 1) == 0 ? PaddingSide::left : PaddingSide::right;
  const Index all = input.q_length + input.past_len;
  input.padding = pick(random, 0, 1) * pick(random, 0, all - 1);
  if (pick(random, 0, 2) == 0)
    for (Index left = all - input.padding; left > 0; left -= input.document_lengths.back())
      input.document_lengths.push_back(pick(random, 1, std::min<Index>(left, 60)));
  return *SequenceLayout::make(input);
}

inline RopePicture random_picture(Random& random, PhaseQuantity quantity, Index longest) {
  const auto types = rope_types();
  RopeScaling scaling{.rope_type = types[static_cast<std::size_t>(pick(random, 0, std::ssize(types) - 1))].id,
                      .head_dim = 2 * pick(random, 2, 12),
                      .rope_theta = std::pow(10.0, static_cast<double>(pick(random, 1, 7))),
                      .factor = static_cast<double>(pick(random, 1, 16)),
                      .original_max_position_embeddings = pick(random, 2, 3000),
                      .seq_len = pick(random, 0, 9000)};
  const bool waves = quantity == PhaseQuantity::cos || quantity == PhaseQuantity::sin;
  if (scaling.head_dim > 4 && pick(random, 0, 1) == 0) scaling.rotary_dim = scaling.head_dim - 2;
  return {.scaling = scaling,
          .frequencies = rope_frequencies(scaling),
          .layout = random_layout(random, longest),
          .quantity = quantity,
          .pair_layout = static_cast<PairLayout>(pick(random, 0, 2)),
          .columns = waves && pick(random, 0, 1) == 0 ? RopeColumns::dimensions : RopeColumns::pairs};
}

/// The values of a rotary method with some of them set.
inline ParameterValues rope_values(const Method& method, const ParameterValues::Map& set) {
  return default_values(method.parameters, set);
}

/// The mean unit vector of a tile's angles, one by one.
struct MeanVector {
  double x = 0, y = 0;
};
inline MeanVector mean_vector(const Field& field, const Rect& tile) {
  MeanVector mean;
  for (Index row = tile.rows.begin; row < tile.rows.end; ++row)
    for (Index col = tile.cols.begin; col < tile.cols.end; ++col) {
      mean.x += std::cos(field.at(row, col)) / static_cast<double>(tile.area());
      mean.y += std::sin(field.at(row, col)) / static_cast<double>(tile.area());
    }
  return mean;
}

/// The first tile of an angular field whose summary is not that of its cells, or nothing.
inline std::string angular_summary_differs(const Field& field, const TileGrid& grid,
                                           const SummaryOptions& options = {}) {
  Summary summary;
  if (!field.summarize(grid, options, summary)) return "cancelled";
  if (!summary.exact) return "not exact";
  for (Index i = 0; i < grid.rows(); ++i)
    for (Index j = 0; j < grid.cols(); ++j) {
      const Rect tile = grid.tile(i, j);
      const auto at = static_cast<std::size_t>(i * grid.cols() + j);
      const std::string where = " of the tile at " + cell_name(tile.rows.begin, tile.cols.begin) + ", " +
                                to_text(tile.rows.size()) + " x " + to_text(tile.cols.size());
      double low = field.at(tile.rows.begin, tile.cols.begin);
      double high = low;
      for (Index row = tile.rows.begin; row < tile.rows.end; ++row)
        for (Index col = tile.cols.begin; col < tile.cols.end; ++col) {
          low = std::min(low, field.at(row, col));
          high = std::max(high, field.at(row, col));
        }
      if (std::abs(summary.min[at] - low) > 3e-7) return "min" + where + ": " + to_text(summary.min[at]);
      if (std::abs(summary.max[at] - high) > 3e-7) return "max" + where + ": " + to_text(summary.max[at]);
      const MeanVector wanted = mean_vector(field, tile);
      const double length = summary.coherence[at];
      const double x = length * std::cos(static_cast<double>(summary.mean[at]));
      const double y = length * std::sin(static_cast<double>(summary.mean[at]));
      if (std::hypot(x - wanted.x, y - wanted.y) > 1e-6)
        return "mean" + where + ": " + to_text(x) + ", " + to_text(y) + ", expected " + to_text(wanted.x) + ", " +
               to_text(wanted.y);
    }
  return {};
}

}  // namespace vqscope::test
