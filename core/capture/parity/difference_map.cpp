// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/difference_map.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_shown = 1024;  ///< rows and columns that are read
constexpr Index most_grid = 96;     ///< rows and columns of the map
constexpr Index most_of_row = 128;

Range around(Index at, Index count, Index most) {
  const Index size = std::min(count, most), begin = std::clamp<Index>(at - size / 2, 0, count - size);
  return {begin, begin + size};
}

/// 0 where both are the same, or no number.
float difference_of_cell(float a, float b, double noise) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const float difference = b - a;
  if (std::isnan(difference)) return INFINITY;
  return static_cast<double>(std::abs(difference)) > noise ? difference : 0;
}

/// Of a cell: some times what the whole tensor may differ.
double noise_of(const CaptureComparison& comparison, const FirstDifference& first) {
  const ComparedLayer* layer = comparison.find(first.layer);
  if (!layer || !layer->allowed.contains(first.role)) return 0;
  return 3 * layer->allowed.at(first.role) * layer->tensors.at(first.role).rms_a;
}

}  // namespace

Result<DifferenceMap> difference_map(const Capture& a, const Capture& b, const CaptureComparison& comparison) {
  const FirstDifference& first = *comparison.first;
  std::vector<std::string> remarks;
  const auto pairs = paired_tensors(a, b, first.layer, remarks, remarks);
  if (!pairs) return pairs.error();
  const auto pair = std::ranges::find(*pairs, first.role, &TensorPair::role);
  if (pair == pairs->end()) return invalid("layer {} has no {} any more", first.layer, name_of(first.role));
  const auto& [sample, head, row, column] = first.cell.at;
  DifferenceMap map;
  map.rows = around(row, pair->extent[2], most_shown);
  map.columns = around(column, pair->extent[3], most_shown);
  map.cell_rows = (map.rows.size() + most_grid - 1) / most_grid;
  map.cell_columns = (map.columns.size() + most_grid - 1) / most_grid;
  map.grid_rows = (map.rows.size() + map.cell_rows - 1) / map.cell_rows;
  map.grid_columns = (map.columns.size() + map.cell_columns - 1) / map.cell_columns;
  map.grid.resize(static_cast<std::size_t>(map.grid_rows * map.grid_columns));
  const Range own_sample{sample, sample + 1}, own_head{head, head + 1};
  std::vector<float> one(static_cast<std::size_t>(map.rows.size() * map.columns.size())), two(one.size());
  if (auto read = pair->read_a({own_sample, own_head, map.rows, map.columns}, one); !read) return read.error();
  if (auto read = pair->read_b({own_sample, own_head, map.rows, map.columns}, two); !read) return read.error();
  const double noise = noise_of(comparison, first);
  for (std::size_t i = 0; i < one.size(); ++i) {
    const Index at = static_cast<Index>(i), r = at / map.columns.size(), c = at % map.columns.size();
    float& cell = map.grid[static_cast<std::size_t>(r / map.cell_rows * map.grid_columns + c / map.cell_columns)];
    const float difference = difference_of_cell(one[i], two[i], noise);
    if (std::abs(difference) > std::abs(cell)) cell = difference;
  }
  const Range shown = around(column, pair->extent[3], most_of_row);
  map.row_begin = shown.begin;
  map.row_a.resize(static_cast<std::size_t>(shown.size()));
  map.row_b.resize(map.row_a.size());
  const Range own_row{row, row + 1};
  if (auto read = pair->read_a({own_sample, own_head, own_row, shown}, map.row_a); !read) return read.error();
  if (auto read = pair->read_b({own_sample, own_head, own_row, shown}, map.row_b); !read) return read.error();
  return map;
}

}  // namespace vqscope
