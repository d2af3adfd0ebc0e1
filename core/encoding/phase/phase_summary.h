// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"
#include "core/field/field.h"
#include "core/sequence/sequence_layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// The function of the angle position · rate + offset that a cell shows.
enum class PhaseQuantity {
  phase,         ///< in [0, 2π)
  signed_phase,  ///< in (-π, π], for differences
  cos,
  sin
};

/// Consecutive rows whose positions ascend by 1, or are all the same (padding).
struct PositionRun {
  Index position = 0;
  Index count = 0;
  bool constant = false;
};

/// Calls take(run) for the rows of `rows`, in order. `runs` cover them.
template <class Take>
void for_each_position_run(std::span<const TokenRun> runs, Range rows, const Take& take) {
  auto run = std::upper_bound(runs.begin(), runs.end(), rows.begin,
                              [](Index row, const TokenRun& each) { return row < each.tokens.end; });
  for (; run != runs.end() && run->tokens.begin < rows.end; ++run) {
    const Index begin = std::max(rows.begin, run->tokens.begin);
    take(PositionRun{run->position(begin), std::min(rows.end, run->tokens.end) - begin, !run->valid});
  }
}

struct PhaseMatrix {
  std::vector<TokenRun> rows;         ///< positions of the rows
  std::vector<Turns> rates;           ///< turns a position, by pair
  std::vector<Turns> offsets = {};    ///< angle at position 0, by pair; empty: 0
  std::vector<std::int32_t> columns;  ///< the pair of each column; -1: not rotated, cos 1 and sin 0
  PhaseQuantity quantity = PhaseQuantity::phase;
  double amplitude = 1;  ///< factor of rotated cos and sin

  Turns angle(Index position, std::size_t pair) const {
    return static_cast<Turns>(position) * rates[pair] + (offsets.empty() ? 0 : offsets[pair]);
  }
};

/// Exact summaries of a PhaseMatrix, a row of tiles at a time. One for each thread: it keeps
/// scratch memory.
class PhaseSummary {
 public:
  PhaseSummary(const PhaseMatrix& matrix, const TileGrid& grid, const SummaryOptions& options);

  void row(Index i, Summary& out);

 private:
  /// Runs of positions that are alike, counted once.
  struct Piece {
    PositionRun run;
    Index repeats = 1;
  };
  /// The sum of a run that begins at 0. It depends on the run's length alone, and tiles of a view
  /// have two heights.
  struct KnownSum {
    Turns rate = 0;
    std::uint64_t count = 0;
    VectorSum sum;
  };
  /// All cells of one pair in the row of tiles.
  struct PairCells {
    VectorSum sum;
    double x = 0, y = 0;  ///< the same as a vector
    double low = 0, high = 0;
    std::array<KnownSum, 2> known;  ///< from row to row
  };

  void collect_pieces(Range rows);
  Progression angles(const PositionRun& run, std::size_t pair) const;
  static VectorSum sum_of(const Progression& run, PairCells& cells);
  void sum_pair(std::size_t pair, PairCells& cells) const;
  void bound_pair(std::size_t pair, PairCells& cells) const;
  void store(Index i, Index j, Summary& out) const;
  float mean_direction(const VectorSum& sum) const;

  const PhaseMatrix& m_matrix;
  const TileGrid& m_grid;
  bool m_mean;
  bool m_extremes;
  bool m_wave;                        ///< cos or sin, not phases
  bool m_vectors = false;             ///< vectors are needed: a tile has several pairs or runs, or shows cos or sin
  std::vector<std::int32_t> m_pairs;  ///< that the tile grid's columns show, each once
  std::vector<Piece> m_pieces;
  Index m_rows = 0;
  std::vector<PairCells> m_cells;  ///< by pair
};

/// [rows, columns] of angles position · rate + offset, or their cos or sin, exact for any extent:
/// sums over a run of positions are geometric, extremes come from Euclid's algorithm.
class PhaseField : public Field {
 public:
  explicit PhaseField(PhaseMatrix matrix);

  Extent extent() const override;
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override;
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override;

  FieldForm form() const override { return &m_matrix; }
  /// Phases at the same positions: rate minus rate is a rate again.
  std::shared_ptr<const Field> minus(const Field& other, DifferenceKind kind) const override;

  const PhaseMatrix& matrix() const { return m_matrix; }
  Index position(Index row) const;

 private:
  template <class Out>
  void read_phases(const Rect& block, Out* out) const;
  template <class Out>
  void read_waves(const Rect& block, Out* out) const;

  PhaseMatrix m_matrix;
};

}  // namespace vqscope
