// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/phase_matrix.h"
#include "core/field/field.h"

namespace vqscope {

/// [rows, columns] of angles position · rate + offset, or their cos or sin, exact for any extent: sums over a run of
/// positions are geometric, extremes come from Euclid's algorithm.
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
