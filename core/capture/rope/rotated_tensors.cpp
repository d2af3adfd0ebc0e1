// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/rotated_tensors.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

/// Of the largest relative error of a type, the root mean square over numbers of all sizes.
constexpr double typical_error = 0.58;
/// Rows and heads that are looked at to tell a pairing: it is the same in all.
constexpr Index most_rows_for_pairing = 96;
constexpr Index most_heads_for_pairing = 8;

struct Sums {
  std::complex<double> product;  ///< Σ after · conj(before) over heads
  double before = 0;
  double after = 0;
};

/// Over all heads, or some among them.
Sums sums_of(std::span<const RotatedVectors> vectors, Index row, Index most_heads, std::pair<Index, Index> columns) {
  Sums sums;
  for (const RotatedVectors& each : vectors) {
    const auto& [a, b] = columns;
    const Index count = std::min(each.heads, most_heads);
    for (Index i = 0; i < count; ++i) {
      const Index head = i * each.heads / count;
      const auto at = static_cast<std::size_t>((row * each.heads + head) * each.dims);
      const std::complex<double> x(each.before[at + static_cast<std::size_t>(a)],
                                   each.before[at + static_cast<std::size_t>(b)]);
      const std::complex<double> y(each.after[at + static_cast<std::size_t>(a)],
                                   each.after[at + static_cast<std::size_t>(b)]);
      sums.product += y * std::conj(x);
      sums.before += std::norm(x);
      sums.after += std::norm(y);
    }
  }
  return sums;
}

/// Columns that some row changed.
std::vector<bool> changed_columns(std::span<const RotatedVectors> vectors) {
  std::vector<bool> changed(static_cast<std::size_t>(vectors.front().dims), false);
  for (const RotatedVectors& each : vectors)
    for (std::size_t i = 0; i < each.after.size(); ++i)
      if (each.after[i] != each.before[i]) changed[i % changed.size()] = true;
  return changed;
}

struct PairingTrial {
  std::span<const RotatedVectors> vectors;
  std::vector<Index> rows;
  Index dims = 0;
  double squares = 0;  ///< of all columns, turned or not: one measure for all pairings

  explicit PairingTrial(std::span<const RotatedVectors> given) : vectors(given), dims(given.front().dims) {
    const Index all = given.front().rows;
    const Index count = std::min(all, most_rows_for_pairing);
    for (Index i = 0; i < count; ++i) rows.push_back(i * all / count);
    for (const Index row : rows)
      for (Index column = 0; column < dims; ++column)
        squares += sums_of(vectors, row, most_heads_for_pairing, {column, column}).after / 2;
  }

  double residual(PairLayout layout, Index rotary_dim) const {
    const Index pairs = rotary_dim / 2;
    double left = 0;
    double weights = 0;
    double moduli = 0;
    std::vector<Sums> sums;
    for (const Index row : rows)
      for (Index pair = 0; pair < pairs; ++pair) {
        sums.push_back(sums_of(vectors, row, most_heads_for_pairing, dimensions_of(pair, pairs, layout, dims)));
        const Sums& s = sums.back();
        if (s.before <= 0) continue;
        left += std::max(s.after - std::norm(s.product) / s.before, 0.0);
        weights += s.before;
        moduli += std::norm(s.product) / s.before;
      }
    if (weights <= 0 || squares <= 0) return 0;
    // With one head any two vectors are a turn and a stretch of each other: all pairs share one stretch.
    const double modulus = std::sqrt(moduli / weights);
    for (const Sums& s : sums)
      if (s.before > 0) left += std::pow(std::abs(s.product) / s.before - modulus, 2) * s.before;
    return left / squares;
  }
};

bool covers(const std::vector<bool>& changed, PairLayout layout, Index rotary_dim) {
  const auto dims = static_cast<Index>(changed.size());
  for (Index column = 0; column < dims; ++column)
    if (changed[static_cast<std::size_t>(column)] && pair_of(column, rotary_dim / 2, layout, dims) < 0) return false;
  return true;
}

double largest_unit(std::span<const RotatedVectors> vectors) {
  double unit = 0;
  for (const RotatedVectors& each : vectors) unit = std::max(unit, each.unit);
  return unit;
}

/// A turn below a unit of the type is partly lost: numbers that were rounded before stay as they are, in
/// all rows alike. Such an error is no smaller in the mean of many rows.
void add_lost_turns(double unit, MeasuredTurns& turns) {
  constexpr double typical_loss = 0.1;
  for (Index pair = 0; pair < turns.pairs; ++pair) {
    std::vector<std::size_t> slow;
    for (Index row = 0; row < turns.rows; ++row)
      if (std::abs(turns.phase(row, pair)) < unit) slow.push_back(turns.index(row, pair));
    for (const std::size_t i : slow)
      turns.variance[i] += static_cast<double>(slow.size()) * std::pow(typical_loss * unit, 2);
  }
}

}  // namespace

std::vector<PairedColumns> pairings_of(std::span<const RotatedVectors> vectors) {
  const PairingTrial trial(vectors);
  const auto changed = changed_columns(vectors);
  const Index dims = trial.dims;
  std::vector<PairedColumns> all;
  for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved, PairLayout::head_split}) {
    bool least = false;
    for (Index rotary_dim = 2; rotary_dim <= dims && !least; rotary_dim += 2) {
      if (dims % 2 != 0 && layout == PairLayout::head_split) break;
      if ((layout == PairLayout::head_split && rotary_dim == dims) || !covers(changed, layout, rotary_dim)) continue;
      all.push_back({layout, rotary_dim, trial.residual(layout, rotary_dim)});
      // More pairs of these layouts would turn by nothing.
      least = layout != PairLayout::half_split;
    }
  }
  if (all.empty()) return all;
  double best = all.front().residual;
  for (const PairedColumns& each : all) best = std::min(best, each.residual);
  // Rounded tables of cos and sin stretch pairs by up to a unit of bfloat16 each.
  const double floor = std::max(4 * std::pow(typical_error * largest_unit(vectors), 2), 1.5 * best);
  std::erase_if(all, [&](const PairedColumns& each) { return each.residual > floor; });
  return all;
}

MeasuredTurns turns_of(std::span<const RotatedVectors> vectors, const PairedColumns& pairing) {
  MeasuredTurns turns{.rows = vectors.front().rows, .pairs = pairing.rotary_dim / 2, .factor = {}, .variance = {}};
  const std::size_t size = static_cast<std::size_t>(turns.rows * turns.pairs);
  turns.factor.resize(size);
  std::vector<double> lengths(size);
  Index heads = 0;
  for (const RotatedVectors& each : vectors) heads += each.heads;
  double left = 0;
  double squares = 0;
  for (Index row = 0; row < turns.rows; ++row)
    for (Index pair = 0; pair < turns.pairs; ++pair) {
      const auto columns = dimensions_of(pair, turns.pairs, pairing.layout, vectors.front().dims);
      const Sums s = sums_of(vectors, row, heads, columns);
      const std::size_t at = turns.index(row, pair);
      lengths[at] = s.before;
      if (s.before <= 0) continue;
      turns.factor[at] = s.product / s.before;
      left += std::max(s.after - std::norm(s.product) / s.before, 0.0);
      squares += s.after;
    }
  const auto count = static_cast<double>(size);
  const double seen = heads > 1 ? left / (count * static_cast<double>(2 * heads - 2)) : 0;
  const double rounding =
      squares / (count * static_cast<double>(2 * heads)) * std::pow(typical_error * largest_unit(vectors), 2);
  const double noise = std::max(seen, rounding);
  turns.variance.resize(size);
  for (std::size_t i = 0; i < size; ++i)
    turns.variance[i] = lengths[i] > 0 ? 2 * noise / lengths[i] + std::pow(0x1p-24, 2) : 1e12;
  add_lost_turns(largest_unit(vectors), turns);
  return turns;
}

Result<RotationTables> tables_of(std::span<const float> cos, std::span<const float> sin, Index rows, Index cols,
                                 double unit) {
  const auto at = [cols](Index row, Index col) { return static_cast<std::size_t>(row * cols + col); };
  bool halves = cols % 2 == 0;
  bool neighbours = cols % 2 == 0;
  for (Index row = 0; row < rows && (halves || neighbours); ++row)
    for (Index pair = 0; pair < cols / 2; ++pair) {
      const auto same = [&](Index a, Index b) {
        return cos[at(row, a)] == cos[at(row, b)] && sin[at(row, a)] == sin[at(row, b)];
      };
      halves = halves && same(pair, pair + cols / 2);
      neighbours = neighbours && same(2 * pair, 2 * pair + 1);
    }
  RotationTables tables;
  if (halves) tables.layout = PairLayout::half_split;
  if (neighbours && !halves) tables.layout = PairLayout::interleaved;
  const Index pairs = tables.layout ? cols / 2 : cols;
  tables.rotary_dim = 2 * pairs;
  tables.turns = {.rows = rows, .pairs = pairs, .factor = {}, .variance = {}};
  for (Index row = 0; row < rows; ++row)
    for (Index pair = 0; pair < pairs; ++pair) {
      const std::size_t i = at(row, tables.layout == PairLayout::interleaved ? 2 * pair : pair);
      if (!std::isfinite(cos[i]) || !std::isfinite(sin[i]))
        return invalid("cos and sin must be finite, row {} of pair {} is not", row, pair);
      tables.turns.factor.emplace_back(cos[i], sin[i]);
      tables.turns.variance.push_back(2 * std::pow(0.6 * unit, 2) + std::pow(0x1p-24, 2));
    }
  return tables;
}

}  // namespace vqscope
