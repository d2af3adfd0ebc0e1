// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/field_on_budget.h"

#include "core/base/sentence.h"
#include "core/cells/count_budget.h"
#include "core/mask/map/block_view.h"
#include "core/mask/map/read_visible.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::string_view writing = "writing ";

bool read_blocks(const BlockView& view, const Rect& blocks, CountBudget& budget, CellSpan out) {
  std::vector<BlockKind> kinds(static_cast<std::size_t>(blocks.area()));
  if (!view.kinds(blocks, budget, kinds)) return false;
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        std::ranges::transform(kinds, cells.begin(), [](BlockKind kind) { return static_cast<Cell>(kind); });
      },
      out);
  return true;
}

}  // namespace

bool FieldOnBudget::read_rows(const Rect& rows, CellSpan out) const {
  // Cells that cost less take less time than writing them.
  constexpr double expensive = 64;
  const FieldForm form = m_field->form();
  if (const auto* mask = std::get_if<std::shared_ptr<const Mask>>(&form))
    return read_visible(**mask, rows, m_budget, out);
  if (const auto* view = std::get_if<const BlockView*>(&form)) return read_blocks(**view, rows, m_budget, out);
  const double cost = m_field->cell_cost();
  if (cost > expensive && !m_budget.spend(static_cast<Index>(4 * cost * static_cast<double>(rows.area()))))
    return false;
  m_field->read(rows, out);
  return true;
}

Index FieldOnBudget::rows_at_once(const Rect& block) const {
  const Mask* mask = m_field->mask();
  return mask && !mask->has_bands() ? 1 : block.rows.size();
}

void FieldOnBudget::read(const Rect& block, CellSpan out) const {
  const Index step = rows_at_once(block);
  std::visit(
      [&](auto rest) {
        for (Index row = block.rows.begin; row < block.rows.end && !m_beyond; row += step) {
          const Rect rows{{row, std::min(block.rows.end, row + step)}, block.cols};
          const auto cells = rest.first(rows.area());
          if (!read_rows(rows, cells)) break;
          m_read += rows.area();
          rest = rest.subspan(rows.area());
          if (is_hopeless(m_budget, part_read())) m_beyond = true;
        }
        if (rest.empty()) return;
        m_beyond = true;
        std::ranges::fill(rest, 0);
      },
      out);
}

Error FieldOnBudget::error() const {
  const double steps = std::max(m_budget.steps_of_all(part_read()), static_cast<double>(m_budget.most));
  return m_budget.error(
      fmt::format("{}{} × {} cells of this matrix", writing, m_cells.rows.size(), m_cells.cols.size()), steps,
      "choose fewer rows and columns or fewer tokens");
}

bool is_over_budget(const Error& error) { return error.code == Errc::too_large && error.message.starts_with(writing); }

}  // namespace vqscope
