// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/field_on_budget.h"

#include "core/base/sentence.h"
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

void FieldOnBudget::read(const Rect& block, CellSpan out) const {
  // Cells that cost less take less time than writing them.
  constexpr double dear = 64;
  const FieldForm form = m_field->form();
  bool done = true;
  if (const auto* mask = std::get_if<std::shared_ptr<const Mask>>(&form)) {
    done = read_visible(**mask, block, m_budget, out);
  } else if (const auto* view = std::get_if<const BlockView*>(&form)) {
    done = read_blocks(**view, block, m_budget, out);
  } else {
    const double cost = m_field->cell_cost();
    if (cost > dear) done = m_budget.spend(static_cast<Index>(4 * cost * static_cast<double>(block.area())));
    if (done) m_field->read(block, out);
  }
  if (done) return;
  m_budget.give_up();
  std::visit([](auto cells) { std::ranges::fill(cells, 0); }, out);
}

bool FieldOnBudget::is_beyond(double part_read) const {
  // What was read says little about the rest as long as it is little.
  const Index enough = m_budget.most / 16;
  const auto most = static_cast<double>(m_budget.most);
  return m_budget.is_over() ||
         (m_budget.most - m_budget.left > enough && m_budget.steps_of_all(part_read) > 1.25 * most);
}

Error FieldOnBudget::error(const Rect& cells, double part_read) const {
  const double steps = std::max(m_budget.steps_of_all(part_read), static_cast<double>(m_budget.most));
  return m_budget.error(fmt::format("{}{} × {} cells of this matrix", writing, cells.rows.size(), cells.cols.size()),
                        steps, "choose fewer rows and columns or fewer tokens");
}

bool is_over_budget(const Error& error) { return error.code == Errc::too_large && error.message.starts_with(writing); }

}  // namespace vqscope
