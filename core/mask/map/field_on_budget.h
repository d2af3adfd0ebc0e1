// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/count_budget.h"
#include "core/field/field.h"

#include <memory>

namespace vqscope {

/// The same field, some of whose cells are read for a file on a budget: those of a mask and of its
/// blocks spend what looking at them takes, other expensive cells what Field::cell_cost() gives.
/// Once the budget is over the cells are of no use.
class FieldOnBudget : public Field {
 public:
  /// `cells` are all that will be read.
  FieldOnBudget(std::shared_ptr<const Field> field, const Rect& cells, Index most_steps, const std::stop_token& stop)
      : m_field(std::move(field)), m_cells(cells), m_budget{.left = most_steps, .stop = stop} {}

  void read(const Rect& block, CellSpan out) const override;

  /// Whether the budget is over, or will be by far, as the cells read so far show.
  bool is_beyond() const { return m_beyond || m_budget.is_over(); }

  /// "writing 4 × 9 cells of the mask takes too long, about 3 min; …"
  Error error() const;

  Extent extent() const override { return m_field->extent(); }
  CellType cell_type() const override { return m_field->cell_type(); }
  double at(Index row, Index col) const override { return m_field->at(row, col); }
  Result<void> prepare(const Work& work) const override { return m_field->prepare(work); }
  double cell_cost() const override { return m_field->cell_cost(); }
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override {
    return m_field->summarize(grid, options, out);
  }
  std::pair<double, double> value_range() const override { return m_field->value_range(); }
  std::vector<Mark> marks() const override { return m_field->marks(); }
  std::vector<std::string> reasons() const override { return m_field->reasons(); }
  std::vector<std::pair<std::string, double>> facts(const std::stop_token& stop) const override {
    return m_field->facts(stop);
  }
  FieldForm form() const override { return m_field->form(); }
  const Mask* mask() const override { return m_field->mask(); }

 private:
  /// False once the budget is over.
  bool read_rows(const Rect& rows, CellSpan out) const;
  /// How many rows read_rows() is given at a time: one if rows are expensive, so that few are read
  /// in vain.
  Index rows_at_once(const Rect& block) const;
  double part_read() const { return static_cast<double>(m_read) / static_cast<double>(m_cells.area()); }

  std::shared_ptr<const Field> m_field;
  Rect m_cells;
  mutable CountBudget m_budget;
  mutable std::atomic<std::uint64_t> m_read = 0;
  mutable std::atomic<bool> m_beyond = false;
};

/// Whether an error is that of FieldOnBudget: without a budget the cells can be written all the
/// same.
bool is_over_budget(const Error& error);

}  // namespace vqscope
