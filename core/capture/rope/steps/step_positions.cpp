// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/steps/step_positions.h"

#include "core/capture/rope/steps/cast_positions.h"
#include "core/capture/rope/steps/phase_slopes.h"
#include "core/capture/rope/steps/raster_positions.h"
#include "core/capture/rope/steps/section_steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace vqscope {
namespace {

/// Errors of a phase that are tried, smallest first: none beyond the data's; angles computed in
/// float32; tables of cos and sin in float16, in bfloat16.
constexpr std::array<double, 5> phase_errors{0, 1e-6, 3e-5, float16_table_error, bfloat16_table_error};
constexpr double turning = 9;
/// Rows about the first by which frequencies are refined before more of them are looked at: an error of
/// a frequency grows with the distance, and must not reach half a turn.
constexpr Index least_reach = 8;
constexpr Index further = 2;
constexpr Index telling_reach = 64;
/// Share of the rows that a reading by one axis must fit.
constexpr double enough_share = 0.9;
/// Neighbouring rows that move, among which the commonest step is looked for.
constexpr Index most_neighbours = 512;
constexpr Index few = 8;

struct Common {
  std::vector<double> frequency;
  Index first_row = 0;
  Index count = 0;
  Index moving = 0;  ///< pairs that turn visibly
};

struct Neighbours {
  const PhaseTable& phases;
  std::vector<Index> rows;  ///< of each pair of rows, the first

  double step(std::size_t i, Index pair) const {
    return wrapped_angle(phases.phase(rows[i] + 1, pair) - phases.phase(rows[i], pair));
  }
  double variance(std::size_t i, Index pair) const {
    return phases.variance(rows[i] + 1, pair) + phases.variance(rows[i], pair);
  }
  /// Mean square of the difference between two steps, in standard deviations.
  double unlike(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (Index pair = 0; pair < phases.pairs; ++pair)
      sum += std::pow(wrapped_angle(step(i, pair) - step(j, pair)), 2) / (variance(i, pair) + variance(j, pair));
    return sum / static_cast<double>(phases.pairs);
  }
};

/// Whether `a` is rather the step of text than `b`: the commoner one, but under M-RoPE, where rows of
/// an image move along one axis and are many, the one that moves more pairs.
bool is_rather(const Common& a, const Common& b, bool by_axes) {
  if (by_axes && a.count > 1 && 10 * a.moving < 9 * b.moving) return false;
  if (by_axes && a.count > 1 && 9 * a.moving > 10 * b.moving) return true;
  return a.count > b.count;
}

/// The step that most neighbouring rows are apart, standing still left out.
std::optional<Common> common_step(const PhaseTable& phases, bool by_axes) {
  const auto stands = standing_rows(phases);
  std::vector<Index> moving;
  for (Index row = 0; row < std::ssize(stands); ++row)
    if (!stands[static_cast<std::size_t>(row)]) moving.push_back(row);
  if (std::ssize(moving) < few) moving = range_of_pairs(phases.rows - 1);  // single ones may not be seen to move
  Neighbours near{phases, {}};
  const Index all = std::ssize(moving), count = std::min(all, most_neighbours);
  for (Index i = 0; i < count; ++i) near.rows.push_back(moving[static_cast<std::size_t>(i * all / count)]);
  std::vector<bool> used(near.rows.size(), false);
  std::optional<Common> best;
  for (std::size_t i = 0; i < near.rows.size(); ++i) {
    if (used[i]) continue;
    std::vector<std::size_t> members{i};
    for (std::size_t j = i + 1; j < near.rows.size(); ++j)
      if (!used[j] && near.unlike(i, j) < alike) members.push_back(j);
    for (const std::size_t j : members) used[j] = true;
    Common common{{}, near.rows[i], std::ssize(members), 0};
    double moved = 0;
    for (Index pair = 0; pair < phases.pairs; ++pair) {
      std::complex<double> sum;
      double weights = 0;
      for (const std::size_t j : members) {
        sum += std::polar(1 / near.variance(j, pair), near.step(j, pair));
        weights += 1 / near.variance(j, pair);
      }
      common.frequency.push_back(std::arg(sum));
      const double squares = std::pow(common.frequency.back(), 2) * weights;
      if (squares > turning) ++common.moving;
      moved += squares;
    }
    const bool moves = moved / static_cast<double>(phases.pairs) > turning;
    if (moves && (!best || is_rather(common, *best, by_axes))) best = common;
  }
  return best;
}

/// From few rows to all of them.
SteppedTurns with_one_axis(const PhaseTable& phases, const Common& common, double rounding) {
  SteppedTurns found = begun(phases, common.frequency, rounding);
  const auto every = range_of_pairs(phases.pairs);
  int whole = 0;
  for (Index reach = least_reach; whole < 2; reach *= further) {
    const Range rows_near{std::max(common.first_row - reach, Index{0}),
                          std::min(common.first_row + reach, phases.rows)};
    whole += rows_near.size() == phases.rows;
    const RowSteps rows = steps_of_rows(phases, every, found.frequency, common.first_row, rows_near);
    std::vector<bool> fits(rows.misfit.size());
    std::transform(rows.misfit.begin(), rows.misfit.end(), fits.begin(), [](double x) { return x < fitting; });
    const auto count = std::count(fits.begin(), fits.end(), true);
    found.share = static_cast<double>(count) / static_cast<double>(fits.size());
    found.steps = {rows.step};
    if (count >= 2) refine(found, phases, fits);
    // Frequencies that do not fit here are not better farther away.
    if (whole > 0 ? count < 2 : reach >= telling_reach && 4 * count < rows_near.size()) break;
  }
  return found;
}

/// The frequencies along the rows that follow the first one by the common step each: from few rows
/// to all of them, each time near enough for the next ones.
std::vector<double> along_run(const PhaseTable& phases, const Common& common, double rounding) {
  SteppedTurns run = begun(phases, common.frequency, rounding);
  Index end = common.first_row + 1;
  while (end < phases.rows && follows(phases, common.frequency, end)) ++end;
  std::vector<Index> steps;
  for (Index row = 0; row < phases.rows; ++row) steps.push_back(row - common.first_row);
  run.steps = {steps};
  for (Index rows = 2; rows < 2 * (end - common.first_row); rows *= 2) {
    std::vector<bool> used(static_cast<std::size_t>(phases.rows), false);
    for (Index row = common.first_row; row < std::min(end, common.first_row + rows); ++row)
      used[static_cast<std::size_t>(row)] = true;
    refine(run, phases, used);
  }
  return run.frequency;
}

SteppedTurns with_sections(const PhaseTable& phases, const Common& common, double rounding) {
  SteppedTurns found = begun(phases, along_run(phases, common, rounding), rounding);
  const Sections sections = best_sections(phases, found.frequency, common.first_row);
  found.axis = sections.axis;
  std::vector<bool> fits(static_cast<std::size_t>(phases.rows), true);
  for (int pass = 0; pass < 2; ++pass) {
    found.steps.clear();
    std::fill(fits.begin(), fits.end(), true);
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Index> pairs;
      for (Index pair = 0; pair < phases.pairs; ++pair)
        if (found.axis[static_cast<std::size_t>(pair)] == axis) pairs.push_back(pair);
      RowSteps rows = steps_of_rows(phases, pairs, found.frequency, common.first_row, {0, phases.rows});
      for (std::size_t row = 0; row < fits.size(); ++row) fits[row] = fits[row] && rows.misfit[row] < fitting;
      found.steps.push_back(std::move(rows.step));
    }
    const auto count = std::count(fits.begin(), fits.end(), true);
    found.share = static_cast<double>(count) / static_cast<double>(fits.size());
    if (count < 2) break;
    refine(found, phases, fits);
  }
  return found;
}

/// By three axes, where that fits more rows than one did: images between text, or, where one fits too few, sections of
/// the pairs by which every row has steps of its own.
std::optional<SteppedTurns> with_axes(const PhaseTable& phases, double share_of_one, double rounding) {
  const Common common = *common_step(phases, true);
  auto rasters = with_rasters(phases, common.frequency, rounding);
  if (rasters && rasters->share > std::max(share_of_one, enough_share)) return rasters;
  if (share_of_one >= enough_share) return {};
  return with_sections(phases, common, rounding);
}

}  // namespace

std::vector<SteppedTurns> stepped(const MeasuredTurns& turns) {
  constexpr double nearly_all = 0.98, few_rows = 4;  // left over by noise
  const double modulus = turns.modulus();
  std::vector<SteppedTurns> found;
  std::vector<double> tried;
  for (const double error : phase_errors) {
    const PhaseTable phases(turns, modulus, error);
    if (error > 0 && phases.typical_variance() > 4 * error * error) continue;
    const auto common = common_step(phases, false);
    if (!common) continue;
    tried.push_back(error);
    const bool settled = !found.empty() && found.front().share > nearly_all;
    if (settled && error < float16_table_error) continue;
    SteppedTurns next = with_one_axis(phases, *common, error);
    if (found.empty() || next.share > found.front().share + 0.05)
      found.insert(found.begin(), std::move(next));
    else
      found.push_back(std::move(next));
  }
  if (found.empty()) return found;
  const auto rounded = with_cast_positions(PhaseTable(turns, modulus, found.front().rounding), found.front().rounding);
  found.insert(found.end(), rounded.begin(), rounded.end());
  const double share = std::ranges::max_element(found, {}, &SteppedTurns::share)->share;
  const bool one_axis = share >= enough_share && (1 - share) * static_cast<double>(turns.rows) < few_rows;
  if (one_axis || turns.pairs < 3) return found;
  std::vector<SteppedTurns> by_axes;
  for (const double error : tried) {
    auto next = with_axes(PhaseTable(turns, modulus, error), share, error);
    if (!next) continue;
    if (by_axes.empty() || next->share > by_axes.front().share + 0.05)
      by_axes.insert(by_axes.begin(), std::move(*next));
    else if (error >= float16_table_error)
      by_axes.push_back(std::move(*next));
  }
  if (!by_axes.empty()) return by_axes;
  return found;
}

}  // namespace vqscope
