// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/steps/section_steps.h"

#include "core/encoding/rope/mrope_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace vqscope {
namespace {

/// Steps from the reference that are tried where a row does not follow the one before it.
constexpr Index farthest_step = 1 << 15;
/// Rows by which sections are told.
constexpr Index most_rows_for_sections = 48;
constexpr Index farthest_section_step = 96;
/// A row that leaves no more than this fits; others are not looked for.
constexpr double good = 3;
/// Steps that are tried for all rows together, and for those that none fits: then rows are only tried near the one
/// before them, for frequencies that fit few rows are not looked at for long.
constexpr Index most_tries = Index{1} << 20;
constexpr Index most_lost_tries = Index{1} << 16, lost_tries_a_row = 256;
/// A step that fits is not left for one so many times longer.
constexpr Index longer = 4;

/// One row against the reference row.
struct RowPhases {
  std::vector<double> difference;
  std::vector<double> weight;

  RowPhases(const PhaseTable& phases, std::span<const Index> pairs, Index row, Index reference) {
    for (const Index pair : pairs) {
      difference.push_back(phases.phase(row, pair) - phases.phase(reference, pair));
      weight.push_back(1 / (phases.variance(row, pair) + phases.variance(reference, pair) + 1e-12));
    }
  }

  /// Stops adding where the sum is above `limit`.
  double misfit(std::span<const double> frequency, Index step, double limit) const {
    double sum = 0;
    const double most = limit * static_cast<double>(difference.size());
    for (std::size_t i = 0; i < difference.size() && sum <= most; ++i) {
      const double left = wrapped_angle(difference[i] - static_cast<double>(step) * frequency[i]);
      sum += left * left * weight[i];
    }
    return sum / static_cast<double>(difference.size());
  }
};

struct NearestStep {
  Index step = 0;
  double misfit = std::numeric_limits<double>::infinity();
  Index tries = 0;
};

/// The best step, looked for around `before` up to a distance of `most`; of equals the nearest.
NearestStep nearest_step(const RowPhases& row, std::span<const double> frequency, Index most, Index before) {
  NearestStep best;
  for (Index length = 0; length <= most; ++length) {
    const bool settled = best.misfit < good && length > longer * std::abs(best.step - before) + 64;
    if (settled) break;
    for (const Index step : {before + length, before - length}) {
      const double misfit = row.misfit(frequency, step, best.misfit);
      if (misfit < best.misfit) best.step = step, best.misfit = misfit;
    }
    best.tries += 2;
  }
  return best;
}

std::vector<double> chosen(std::span<const double> frequency, std::span<const Index> pairs) {
  std::vector<double> values;
  for (const Index pair : pairs) values.push_back(frequency[static_cast<std::size_t>(pair)]);
  return values;
}

}  // namespace

PhaseTable::PhaseTable(const MeasuredTurns& turns, double modulus, double added_error)
    : rows(turns.rows), pairs(turns.pairs) {
  for (std::size_t i = 0; i < turns.factor.size(); ++i) {
    m_phase.push_back(std::arg(turns.factor[i]));
    m_variance.push_back(turns.variance[i] / (modulus * modulus) + added_error * added_error);
  }
}

double PhaseTable::typical_variance() const {
  std::vector<double> sorted = m_variance;
  const auto middle = sorted.begin() + std::ssize(sorted) / 2;
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

std::vector<Index> range_of_pairs(Index pairs) {
  std::vector<Index> all(static_cast<std::size_t>(pairs));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

RowSteps steps_of_rows(const PhaseTable& phases, std::span<const Index> pairs, std::span<const double> frequency,
                       Index reference, Range looked_at) {
  const auto all = static_cast<std::size_t>(phases.rows);
  RowSteps rows{std::vector<Index>(all, 0), std::vector<double>(all, std::numeric_limits<double>::infinity())};
  const auto own = chosen(frequency, pairs);
  const Index most = std::min(farthest_step, std::max(phases.rows + 64, Index{256}));
  Index before = looked_at.begin - reference;
  const Index most_lost = std::min(most_lost_tries, lost_tries_a_row * looked_at.size());
  Index tries = 0, lost_tries = 0;
  for (Index i = looked_at.begin; i < looked_at.end; ++i) {
    const RowPhases row(phases, pairs, i, reference);
    std::pair best(Index{0}, std::numeric_limits<double>::infinity());
    const auto attempt = [&](Index step) {
      const double misfit = row.misfit(own, step, best.second);
      if (misfit >= best.second) return false;
      best = {step, misfit};
      return true;
    };
    attempt(before + 1);
    attempt(0);
    // Rows of which little is known fit several steps.
    while (attempt(best.first - 1) || attempt(best.first + 1)) {
    }
    if (best.second >= good && tries <= most_tries && lost_tries <= most_lost) {
      const auto nearest = nearest_step(row, own, most, before);
      tries += nearest.tries;
      if (nearest.misfit >= good) lost_tries += nearest.tries;
      best = {nearest.step, nearest.misfit};
    }
    rows.step[static_cast<std::size_t>(i)] = best.first;
    rows.misfit[static_cast<std::size_t>(i)] = best.second;
    before = best.first;
  }
  return rows;
}

Sections best_sections(const PhaseTable& phases, std::span<const double> frequency, Index reference) {
  const auto pairs = static_cast<std::size_t>(phases.pairs);
  const Index most = std::min(farthest_section_step, phases.rows + 16);
  const auto steps = static_cast<std::size_t>(2 * most + 1);
  std::vector<Index> rows;
  for (Index i = 0, count = std::min(phases.rows, most_rows_for_sections); i < count; ++i)
    rows.push_back(i * phases.rows / count);
  const auto every = range_of_pairs(phases.pairs);
  // Misfit of each row, step and pair, summed over pairs: that of a run is a difference.
  std::vector<double> sums(rows.size() * steps * (pairs + 1));
  const auto at = [&](std::size_t row, std::size_t step) { return (row * steps + step) * (pairs + 1); };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const RowPhases row(phases, every, rows[r], reference);
    for (std::size_t s = 0; s < steps; ++s)
      for (std::size_t k = 0; k < pairs; ++k) {
        const double left =
            wrapped_angle(row.difference[k] - (static_cast<double>(s) - static_cast<double>(most)) * frequency[k]);
        sums[at(r, s) + k + 1] = sums[at(r, s) + k] + left * left * row.weight[k];
      }
  }
  const auto run = [&](std::size_t r, std::size_t s, std::size_t begin, std::size_t end) {
    return sums[at(r, s) + end] - sums[at(r, s) + begin];
  };
  Sections best{std::vector<int>(pairs, 0), std::numeric_limits<double>::infinity()};
  const auto consider = [&](const std::vector<std::uint8_t>& axis) {
    double total = 0;
    for (std::size_t r = 0; r < rows.size() && total < best.misfit; ++r) {
      std::array<double, 3> least{};
      least.fill(std::numeric_limits<double>::infinity());
      for (std::size_t s = 0; s < steps; ++s) {
        std::array<double, 3> sum{};
        for (std::size_t k = 0; k < pairs; ++k) sum[axis[k]] += run(r, s, k, k + 1);
        for (std::size_t a = 0; a < 3; ++a) least[a] = std::min(least[a], sum[a]);
      }
      total += least[0] + least[1] + least[2];
    }
    if (total < best.misfit) best = {{axis.begin(), axis.end()}, total};
  };
  // Least misfit of a run begin..end in each row.
  std::vector<double> least((pairs + 1) * (pairs + 1) * rows.size(), 0);
  const auto of_run = [&](std::size_t begin, std::size_t end, std::size_t r) -> double& {
    return least[(begin * (pairs + 1) + end) * rows.size() + r];
  };
  for (std::size_t begin = 0; begin < pairs; ++begin)
    for (std::size_t end = begin + 1; end <= pairs; ++end)
      for (std::size_t r = 0; r < rows.size(); ++r) {
        double smallest = std::numeric_limits<double>::infinity();
        for (std::size_t s = 0; s < steps; ++s) smallest = std::min(smallest, run(r, s, begin, end));
        of_run(begin, end, r) = smallest;
      }
  for (std::size_t first = 1; first + 1 < pairs; ++first)
    for (std::size_t second = first + 1; second < pairs; ++second) {
      double total = 0;
      for (std::size_t r = 0; r < rows.size() && total < best.misfit; ++r)
        total += of_run(0, first, r) + of_run(first, second, r) + of_run(second, pairs, r);
      if (total >= best.misfit) continue;
      best.misfit = total;
      for (std::size_t k = 0; k < pairs; ++k) best.axis[k] = k < first ? 0 : k < second ? 1 : 2;
    }
  for (Index width = 1; 3 * width <= phases.pairs; ++width) {
    const std::array<Index, 3> section{phases.pairs - 2 * width, width, width};
    if (const auto axis = mrope_axes(section, MropeOrder::interleaved, phases.pairs)) consider(*axis);
  }
  return best;
}

}  // namespace vqscope
