// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/label_counts.h"

#include "core/field/block_walk.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

void add(LabelCounts& counts, std::int32_t label) {
  const auto place = std::ranges::lower_bound(counts, label, {}, &LabelCounts::value_type::first);
  if (place != counts.end() && place->first == label)
    ++place->second;
  else
    counts.insert(place, {label, 1});
}

/// Cells scattered over the block, for a picture of labels that repeat: an even grid could meet one
/// of them alone.
void sample(const Field& field, const Rect& block, Index cells, LabelCounts& out) {
  for (Index i = 0; i < cells; ++i) {
    const auto at = [&](double step, Range range) {
      const double fraction = std::fmod((static_cast<double>(i) + 0.5) * step, 1.0);
      return std::min(range.begin + static_cast<Index>(fraction * static_cast<double>(range.size())), range.end - 1);
    };
    // The plastic number's two steps cover a square evenly.
    add(out,
        static_cast<std::int32_t>(field.at(at(0.7548776662466927, block.rows), at(0.5698402909980532, block.cols))));
  }
}

}  // namespace

bool count_labels_of(const Field& field, const Rect& block, Index most_cells, const std::stop_token& stop,
                     LabelCounts& out) {
  if (field.count_labels(block, out)) return true;
  out.clear();
  most_cells = static_cast<Index>(static_cast<double>(most_cells) / std::max(field.cell_cost(), 1.0));
  if (block.area() > static_cast<std::uint64_t>(std::max<Index>(most_cells, 1))) {
    sample(field, block, std::clamp<Index>(most_cells, 1, 64), out);
    return false;
  }
  std::vector<std::int32_t> cells;
  for (BlockWalk walk(block, std::max(field.cell_cost(), 1.0)); !walk.done() && !stop.stop_requested();) {
    const Rect piece = walk.next();
    cells.resize(static_cast<std::size_t>(piece.area()));
    field.read(piece, std::span(cells));
    for (const std::int32_t label : cells) add(out, label);
  }
  return true;
}

std::int32_t most_frequent(const LabelCounts& counts) {
  assert(!counts.empty());
  return std::ranges::max_element(counts, {}, &LabelCounts::value_type::second)->first;
}

}  // namespace vqscope
