// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/relative_field.h"

#include "core/base/text.h"
#include "core/field/cell_summary.h"
#include "core/relative/relative_summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace vqscope {
namespace {

constexpr Index typical_distances = 4096;

std::string signed_text(Index value) { return (value > 0 ? "+" : "") + to_text(value); }

/// |d| of a span of relative positions.
Range distances(Range relative) {
  const Index first = std::abs(relative.begin);
  const Index last = std::abs(relative.end - 1);
  const bool straddles = relative.begin <= 0 && relative.end > 0;
  return {straddles ? 0 : std::min(first, last), std::max(first, last) + 1};
}

/// Stretches between corners hold one more than the cells have.
Range with_next(Range relative) { return {relative.begin, relative.end + 1}; }

}  // namespace

RelativeField::RelativeField(Extent extent, Index past_len, RelativeFunction function, RelativeTexts texts)
    : m_extent(extent), m_past_len(past_len), m_f(std::move(function)), m_texts(std::move(texts)) {
  assert(!m_f.pieces.empty());
  const Range rough = rough_arguments(with_next(relative_positions({{0, extent.rows}, {0, extent.cols}})));
  if (rough.size() > 0 && rough.size() <= most_kept && can_read(rough))
    m_table = std::make_shared<const DistanceTable>(m_f, rough);
}

Range RelativeField::relative_positions(const Rect& block) const {
  return {relative_position(block.rows.end - 1, block.cols.begin),
          relative_position(block.rows.begin, block.cols.end - 1) + 1};
}

Range RelativeField::rough_arguments(Range relative) const {
  const Range arguments = m_f.even ? distances(relative) : relative;
  Range rough{0, 0};
  for (std::size_t i = 0; i < m_f.pieces.size(); ++i) {
    if (m_f.pieces[i].kind != PieceKind::rough) continue;
    const Range piece = common(arguments, {i == 0 ? arguments.begin : m_f.pieces[i].begin,
                                           i + 1 < m_f.pieces.size() ? m_f.pieces[i + 1].begin : arguments.end});
    if (piece.size() <= 0) continue;
    rough = rough.size() == 0 ? piece : Range{rough.begin, piece.end};
  }
  return rough;
}

bool RelativeField::can_read(Range rough) const {
  return rough.size() <= most_read && static_cast<double>(rough.size()) * m_f.cost() <= most_cosines;
}

std::shared_ptr<const DistanceTable> RelativeField::table_for(Range rough) const {
  if (m_table || rough.size() == 0) return m_table;
  return std::make_shared<const DistanceTable>(m_f, rough);
}

void RelativeField::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(cells.size() == block.area());
        if (block.area() == 0) return;
        // One table of the block's diagonals, of which each row is a segment.
        const Range relative = relative_positions(block);
        std::vector<Cell> diagonals(static_cast<std::size_t>(relative.size()));
        const auto table = table_for(rough_arguments(relative));
        for (Index d = relative.begin; d < relative.end; ++d) {
          const bool rough = m_f.piece_of(d).kind == PieceKind::rough;
          const Index argument = m_f.even ? std::abs(d) : d;
          diagonals[static_cast<std::size_t>(d - relative.begin)] =
              static_cast<Cell>(rough ? table->values({argument, argument + 1}).front() : m_f.at(d));
        }
        const auto width = static_cast<std::size_t>(block.cols.size());
        Cell* next = cells.data();
        for (auto row = static_cast<std::size_t>(block.rows.size()); row-- > 0; next += width)
          std::memcpy(next, diagonals.data() + row, width * sizeof(Cell));
      },
      out);
}

Result<void> RelativeField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  const Range rough = rough_arguments(with_next(relative_positions(grid.bounds())));
  if (!can_read(rough)) return summarize_cells(*this, MeanKind::arithmetic, grid, options, out);
  const auto table = table_for(rough);
  if (table) table->compute(rough, options.threads, options.stop);
  if (options.stop.stop_requested()) return cancelled();
  return summarize_relative({m_f, table.get(), m_past_len, value_range()}, grid, options, out);
}

std::pair<double, double> RelativeField::value_range() const {
  const Range relative = relative_positions({{0, m_extent.rows}, {0, m_extent.cols}});
  const auto [low, high] = m_f.bounds(relative.begin, relative.end - 1);
  return std::isnan(low) ? std::pair{0.0, 0.0} : std::pair{low, high};
}

std::optional<std::pair<double, double>> RelativeField::typical_range() const {
  if (!m_f.has(PieceKind::rough)) return std::nullopt;
  std::call_once(m_typical_once, [this] {
    const Range all = relative_positions({{0, m_extent.rows}, {0, m_extent.cols}});
    const Index middle = std::clamp<Index>(0, all.begin, all.end - 1);
    const Range near = common(all, {middle - typical_distances, middle + typical_distances});
    std::vector<double> values(static_cast<std::size_t>(near.size()));
    m_f.fill(near.begin, values);
    std::pair range{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    for (const double value : values) range = {std::fmin(range.first, value), std::fmax(range.second, value)};
    m_typical = range;
  });
  return std::isnan(m_typical.first) ? std::nullopt : std::optional(m_typical);
}

CellReport RelativeField::report(Index row, Index col) const {
  const Index relative = relative_position(row, col);
  const double value = m_f.at(relative);
  return {{{"q", to_text(row)},
           {"k", to_text(col)},
           {"relative_position", signed_text(relative)},
           {m_texts.value_name, std::isnan(value) ? "none" : to_text(value, 9)}},
          m_texts.why ? m_texts.why(relative) : std::string()};
}

std::shared_ptr<const Field> RelativeField::minus(const Field& other, DifferenceKind kind) const {
  const FieldForm form = other.form();
  const auto* relative = std::get_if<RelativeForm>(&form);
  if (!relative || kind != DifferenceKind::plain || relative->past_len != m_past_len ||
      relative->function->even != m_f.even)
    return nullptr;
  return std::make_shared<RelativeField>(m_extent, m_past_len, difference(m_f, *relative->function),
                                         RelativeTexts{"difference", {}});
}

}  // namespace vqscope
