// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/phase_matrix.h"
#include "core/field/field.h"

#include <array>
#include <vector>

namespace vqscope {

/// Exact summaries of a PhaseMatrix, a row of tiles at a time. One for each thread: it keeps scratch memory.
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
  /// The sum of a run that begins at 0. It depends on the run's length alone, and tiles of a view have two heights.
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

}  // namespace vqscope
