// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/steps/raster_positions.h"

#include "core/capture/rope/steps/phase_slopes.h"
#include "core/encoding/rope/mrope_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

/// A grid at the end of the rows may go on beyond them.
constexpr Index widest_open_grid = 256;
/// Rows of an image by which its grid is chosen.
constexpr Index most_rows_looked_at = 1024;
/// Mean square, in standard deviations, up to which text goes on behind an image at a position.
constexpr double continues = 4;

/// Rows that count on by one step of text each. The first row of an image is the last of the run before it.
std::vector<Range> runs_of_text(const PhaseTable& phases, std::span<const double> turn_of_step) {
  std::vector<Range> runs;
  for (Index row = 1; row < phases.rows; ++row) {
    if (!follows(phases, turn_of_step, row)) continue;
    if (runs.empty() || runs.back().end != row) runs.push_back({row - 1, row});
    ++runs.back().end;
  }
  return runs;
}

/// An image: its rows, and the steps from its first one to the text behind it, 0: none is.
struct Image {
  Range rows;
  Index step = 0;
  Index advance = 0;
  MropeGrid grid;
};

std::array<Index, 3> place_in(const Image& image, Index row) {
  const Index i = row - image.rows.begin, size = image.grid.rows * image.grid.cols;
  return {image.step + i / size, image.step + i % size / image.grid.cols, image.step + i % image.grid.cols};
}

/// Squares that the rows of an image leave, by pair and axis.
using AxisCosts = std::vector<std::array<double, 3>>;

AxisCosts costs_of(const PhaseTable& phases, const SteppedTurns& text, const Image& image, Index stride) {
  AxisCosts costs(static_cast<std::size_t>(phases.pairs));
  for (Index row = image.rows.begin; row < image.rows.end; row += stride) {
    const auto place = place_in(image, row);
    for (Index pair = 0; pair < phases.pairs; ++pair)
      for (std::size_t axis = 0; axis < 3; ++axis)
        costs[static_cast<std::size_t>(pair)][axis] += square_left(phases, text, row, pair, place[axis]);
  }
  return costs;
}

/// Grids of so many tokens behind which text goes on where it does. Frames of one column have the places of one image's
/// rows on other axes: the fewest frames come first.
std::vector<MropeGrid> grids_of(const Image& image) {
  std::vector<MropeGrid> all;
  const Index tokens = image.rows.size();
  if (image.advance == 0)
    for (Index width = 1; width <= std::min(tokens, widest_open_grid); ++width)
      all.push_back({1, (tokens + width - 1) / width, width});
  for (Index width = 1; width <= image.advance; ++width)
    for (Index height = 1; tokens % width == 0 && height <= std::min(image.advance, tokens / width); ++height) {
      const MropeGrid grid{tokens / width / height, height, width};
      if (grid.tokens() == tokens && std::max({grid.frames, height, width}) == image.advance) all.push_back(grid);
    }
  std::ranges::stable_sort(all, {}, &MropeGrid::frames);
  return all;
}

/// Sets the grid under which the best axis of each pair leaves least; false: there is none.
bool choose_grid(const PhaseTable& phases, const SteppedTurns& text, Image& image) {
  // Neighbours in a row of patches, and not one column of them.
  const Index stride = std::max<Index>(1, image.rows.size() / most_rows_looked_at) | 1;
  double least = std::numeric_limits<double>::infinity();
  for (const MropeGrid& grid : grids_of(image)) {
    Image tried = image;
    tried.grid = grid;
    double sum = 0;
    for (const auto& pair : costs_of(phases, text, tried, stride)) sum += *std::ranges::min_element(pair);
    if (sum < least) least = sum, image.grid = grid;
  }
  return std::isfinite(least);
}

/// Positions of the text by its runs, and what stands between them.
struct TextAndImages {
  SteppedTurns text;
  std::vector<bool> is_text;
  std::vector<Image> images;
};

/// Frequencies and phases by the rows of text whose steps are known, from `middle` outwards.
void refine_text(TextAndImages& all, const PhaseTable& phases, Index middle, Index first_reach) {
  const auto& steps = all.text.steps.front();
  const Index farthest = *std::ranges::max_element(steps);
  bool whole = false;
  for (Index reach = first_reach; !whole; reach *= 2) {
    std::vector<bool> used(all.is_text);
    for (std::size_t row = 0; row < used.size(); ++row) used[row] = used[row] && std::abs(steps[row] - middle) <= reach;
    refine(all.text, phases, used);
    whole = reach >= farthest;
  }
}

/// Steps from a row to a later one on every axis, by all pairs; 0: none fits.
Index steps_between(const PhaseTable& phases, const SteppedTurns& text, Index from, Index to) {
  std::pair best(continues * static_cast<double>(phases.pairs), Index{0});
  for (Index step = 1; step <= to - from; ++step) {
    double sum = 0;
    for (Index pair = 0; pair < phases.pairs && sum < best.first; ++pair)
      sum += square_between(phases, from, to, pair,
                            static_cast<double>(step) * text.frequency[static_cast<std::size_t>(pair)]);
    if (sum < best.first) best = {sum, step};
  }
  return best.second;
}

std::optional<TextAndImages> text_and_images(const PhaseTable& phases, std::span<const double> turn_of_step,
                                             double rounding) {
  const auto runs = runs_of_text(phases, turn_of_step);
  if (runs.empty() || runs.front().begin != 0) return {};
  const auto all_rows = static_cast<std::size_t>(phases.rows);
  TextAndImages all{begun(phases, turn_of_step, rounding), std::vector<bool>(all_rows, false), {}};
  all.text.steps = {std::vector<Index>(all_rows, 0)};
  auto& steps = all.text.steps.front();
  const auto mark = [&](const Range& run, Index first_step) {
    for (Index row = run.begin; row < run.end; ++row) {
      all.is_text[static_cast<std::size_t>(row)] = true;
      steps[static_cast<std::size_t>(row)] = first_step + row - run.begin;
    }
  };
  const Range longest = *std::ranges::max_element(runs, {}, &Range::size);
  mark(longest, 0);
  refine_text(all, phases, 0, 2);
  all.is_text.assign(all_rows, false);
  Index step = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    mark(runs[i], step);
    const Index first = runs[i].end - 1, next = i + 1 < runs.size() ? runs[i + 1].begin : phases.rows;
    step += first - runs[i].begin;
    if (next == phases.rows && next - first > 1) all.images.push_back({{first, next}, step, 0, {}});
    if (next == phases.rows) break;
    const Index advance = steps_between(phases, all.text, first, next);
    if (advance == 0) return {};
    if (next - first > 1) all.images.push_back({{first, next}, step, advance, {}});
    step += advance;
  }
  refine_text(all, phases, steps[static_cast<std::size_t>(longest.begin)], longest.size());
  return all;
}

/// The sections, in any order of pairs, that leave least.
std::vector<int> cheapest_sections(const AxisCosts& costs) {
  const auto pairs = std::ssize(costs);
  AxisCosts sums(costs.size() + 1);  // of the pairs before
  for (std::size_t k = 0; k < costs.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis) sums[k + 1][axis] = sums[k][axis] + costs[k][axis];
  std::pair best(std::numeric_limits<double>::infinity(), std::array<Index, 2>{});
  for (std::size_t first = 1; first + 1 < costs.size(); ++first)
    for (std::size_t second = first + 1; second < costs.size(); ++second)
      best = std::min(best, {sums[first][0] + sums[second][1] - sums[first][1] + sums.back()[2] - sums[second][2],
                             {static_cast<Index>(first), static_cast<Index>(second)}});
  const auto [first, second] = best.second;
  std::vector<int> axis_of_pair;
  for (Index k = 0; k < pairs; ++k) axis_of_pair.push_back(k < first ? 0 : k < second ? 1 : 2);
  const auto consider = [&](const std::array<Index, 3>& section, MropeOrder order) {
    const auto axes = mrope_axes(section, order, pairs);
    if (!axes) return;
    double sum = 0;
    for (std::size_t k = 0; k < costs.size(); ++k) sum += costs[k][(*axes)[k]];
    if (sum < best.first) best.first = sum, axis_of_pair.assign(axes->begin(), axes->end());
  };
  for (Index width = 1; 2 * width < pairs; ++width) {
    if (3 * width <= pairs) consider({pairs - 2 * width, width, width}, MropeOrder::interleaved);
    consider({width, width, pairs - 2 * width}, MropeOrder::height_first);
  }
  return axis_of_pair;
}

}  // namespace

std::optional<SteppedTurns> with_rasters(const PhaseTable& phases, std::span<const double> turn_of_step,
                                         double rounding) {
  auto all = text_and_images(phases, turn_of_step, rounding);
  if (!all || all->images.empty()) return {};
  AxisCosts costs(static_cast<std::size_t>(phases.pairs));
  for (Image& image : all->images) {
    if (!choose_grid(phases, all->text, image)) return {};
    const AxisCosts own = costs_of(phases, all->text, image, 1);
    for (std::size_t k = 0; k < costs.size(); ++k)
      for (std::size_t axis = 0; axis < 3; ++axis) costs[k][axis] += own[k][axis];
  }
  SteppedTurns found = std::move(all->text);
  found.axis = cheapest_sections(costs);
  found.steps.assign(3, found.steps.front());
  for (const Image& image : all->images)
    for (Index row = image.rows.begin; row < image.rows.end; ++row) {
      const auto place = place_in(image, row);
      for (std::size_t axis = 0; axis < 3; ++axis) found.steps[axis][static_cast<std::size_t>(row)] = place[axis];
    }
  refine_by_fitting_rows(found, phases);
  return found;
}

}  // namespace vqscope
