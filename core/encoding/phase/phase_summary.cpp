// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/phase/phase_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

namespace vqscope {
namespace {

bool wave(PhaseQuantity quantity) { return quantity == PhaseQuantity::cos || quantity == PhaseQuantity::sin; }

/// float32 must stay below 2π where the double does.
float below_turn(double angle) {
  return std::min(static_cast<float>(angle), std::nextafter(2 * std::numbers::pi_v<float>, 0.0F));
}

}  // namespace

PhaseSummary::PhaseSummary(const PhaseMatrix& matrix, const TileGrid& grid, const SummaryOptions& options)
    : m_matrix(matrix),
      m_grid(grid),
      m_mean(options.mean),
      m_extremes(options.extremes),
      m_wave(wave(matrix.quantity)),
      m_cells(matrix.rates.size()) {
  const Range cols = grid.bounds().cols;
  m_pairs.assign(matrix.columns.begin() + cols.begin, matrix.columns.begin() + cols.end);
  std::ranges::sort(m_pairs);
  m_pairs.erase(std::unique(m_pairs.begin(), m_pairs.end()), m_pairs.end());
  if (!m_pairs.empty() && m_pairs.front() < 0) m_pairs.erase(m_pairs.begin());
}

void PhaseSummary::collect_pieces(Range rows) {
  m_pieces.clear();
  m_rows = rows.size();
  for_each_position_run(m_matrix.rows, rows, [&](const PositionRun& run) { m_pieces.push_back({run, 1}); });
  // A million documents have few different lengths.
  const auto key = [](const Piece& piece) {
    return std::tuple(piece.run.constant, piece.run.position, piece.run.count);
  };
  if (m_pieces.size() > 1) std::ranges::sort(m_pieces, {}, key);
  std::size_t kept = 0;
  for (std::size_t k = 1; k < m_pieces.size(); ++k) {
    if (key(m_pieces[k]) == key(m_pieces[kept]))
      ++m_pieces[kept].repeats;
    else
      m_pieces[++kept] = m_pieces[k];
  }
  m_pieces.resize(kept + 1);
}

Progression PhaseSummary::angles(const PositionRun& run, std::size_t pair) const {
  return {m_matrix.angle(run.position, pair), run.constant ? 0 : m_matrix.rates[pair],
          static_cast<std::uint64_t>(run.count)};
}

/// Turning the whole run turns its sum: only the direction depends on where it begins.
VectorSum PhaseSummary::sum_of(const Progression& run, PairCells& cells) {
  auto& known = cells.known;
  const auto fits = [&](const KnownSum& each) { return each.rate == run.rate && each.count == run.count; };
  if (!fits(known[0])) std::swap(known[0], known[1]);
  if (!fits(known[0])) known[0] = {run.rate, run.count, vector_sum({0, run.rate, run.count})};
  return {known[0].sum.length, run.start + known[0].sum.direction};
}

void PhaseSummary::sum_pair(std::size_t pair, PairCells& cells) const {
  cells.x = cells.y = 0;
  for (const auto& piece : m_pieces) {
    cells.sum = sum_of(angles(piece.run, pair), cells);
    cells.sum.length *= static_cast<double>(piece.repeats);
    if (!m_vectors) continue;
    const double angle = signed_radians(cells.sum.direction);
    cells.x += cells.sum.length * std::cos(angle);
    cells.y += cells.sum.length * std::sin(angle);
  }
}

/// Phases are ordered from 0, or from just above -half a turn; cos is largest nearest to 0 and
/// smallest nearest to half a turn, sin a quarter later.
void PhaseSummary::bound_pair(std::size_t pair, PairCells& cells) const {
  if (m_wave) {
    const Turns top = m_matrix.quantity == PhaseQuantity::cos ? 0 : quarter_turn;
    Turns to_top = half_turn;
    Turns to_bottom = half_turn;
    for (const auto& piece : m_pieces) {
      to_top = std::min(to_top, distance_to(top, angles(piece.run, pair)));
      to_bottom = std::min(to_bottom, distance_to(top + half_turn, angles(piece.run, pair)));
    }
    cells.high = m_matrix.amplitude * cosine(to_top);
    cells.low = -m_matrix.amplitude * cosine(to_bottom);
    return;
  }
  const bool centred = m_matrix.quantity == PhaseQuantity::signed_phase;
  const Turns lowest = centred ? half_turn + 1 : 0;
  TurnBounds all{std::numeric_limits<Turns>::max(), 0};
  for (const auto& piece : m_pieces) {
    Progression shifted = angles(piece.run, pair);
    shifted.start -= lowest;
    const TurnBounds found = bounds(shifted);
    all = {std::min(all.low, found.low), std::max(all.high, found.high)};
  }
  cells.low = centred ? signed_radians(all.low + lowest) : radians(all.low);
  cells.high = centred ? signed_radians(all.high + lowest) : radians(all.high);
}

float PhaseSummary::mean_direction(const VectorSum& sum) const {
  if (m_matrix.quantity == PhaseQuantity::signed_phase) return static_cast<float>(signed_radians(sum.direction));
  return below_turn(radians(sum.direction));
}

void PhaseSummary::store(Index i, Index j, Summary& out) const {
  const Range cols = m_grid.tile(i, j).cols;
  const auto at = static_cast<std::size_t>(i * out.cols + j);
  const double count = static_cast<double>(m_rows) * static_cast<double>(cols.size());
  double x = 0, y = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const PairCells still{{static_cast<double>(m_rows), 0},
                        static_cast<double>(m_rows) / m_matrix.amplitude,
                        0,
                        m_matrix.quantity == PhaseQuantity::cos ? 1.0 : 0.0,
                        m_matrix.quantity == PhaseQuantity::cos ? 1.0 : 0.0};
  for (Index col = cols.begin; col < cols.end; ++col) {
    const std::int32_t pair = m_matrix.columns[static_cast<std::size_t>(col)];
    const PairCells& cells = pair < 0 ? still : m_cells[static_cast<std::size_t>(pair)];
    x += cells.x;
    y += cells.y;
    low = std::min(low, cells.low);
    high = std::max(high, cells.high);
  }
  if (m_extremes) {
    out.min[at] = m_wave ? static_cast<float>(low) : below_turn(low);
    out.max[at] = m_wave ? static_cast<float>(high) : below_turn(high);
  }
  if (!m_mean) return;
  if (m_wave) {
    const double sum = m_matrix.quantity == PhaseQuantity::cos ? x : y;
    out.mean[at] = static_cast<float>(m_matrix.amplitude * sum / count);
    return;
  }
  const auto first = static_cast<std::size_t>(m_matrix.columns[static_cast<std::size_t>(cols.begin)]);
  const bool alone = cols.size() == 1 && m_pieces.size() == 1;
  const VectorSum sum = alone ? m_cells[first].sum : VectorSum{std::hypot(x, y), turns_of(std::atan2(y, x))};
  out.mean[at] = mean_direction(sum);
  out.coherence[at] = static_cast<float>(std::min(sum.length / count, 1.0));
}

void PhaseSummary::row(Index i, Summary& out) {
  const auto r = static_cast<std::size_t>(i);
  collect_pieces({m_grid.row_edges[r], m_grid.row_edges[r + 1]});
  const bool wide = m_grid.bounds().cols.size() > m_grid.cols();
  m_vectors = m_wave || wide || m_pieces.size() > 1;
  for (const std::int32_t pair : m_pairs) {
    const auto p = static_cast<std::size_t>(pair);
    if (m_mean) sum_pair(p, m_cells[p]);
    if (m_extremes) bound_pair(p, m_cells[p]);
  }
  for (Index j = 0; j < m_grid.cols(); ++j) store(i, j, out);
}

}  // namespace vqscope
