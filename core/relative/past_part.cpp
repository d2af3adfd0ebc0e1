// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/past_part.h"

#include "core/field/block_walk.h"
#include "core/field/cell_summary.h"
#include "core/relative/relative_field.h"

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

constexpr Index before_all_positions = std::numeric_limits<Index>::min();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

/// The piece of an even function on distances from `first` up to `end`, for the relative positions
/// of past keys.
RelativePiece mirrored(const RelativePiece& piece, Index begin) {
  RelativePiece past = piece;
  past.begin = begin;
  past.at = [at = piece.at](double relative) { return at(-relative); };
  if (piece.fill)
    past.fill = [fill = piece.fill](Index first, std::span<double> out) {
      fill(1 - first - static_cast<Index>(out.size()), out);
      std::ranges::reverse(out);
    };
  return past;
}

/// A field whose keys after the query have no values.
class PastField : public Field {
 public:
  PastField(std::shared_ptr<const Field> field, Index past_len) : m_field(std::move(field)), m_past_len(past_len) {}

  Extent extent() const override { return m_field->extent(); }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    return col > m_past_len + row ? std::numeric_limits<double>::quiet_NaN() : m_field->at(row, col);
  }
  void read(const Rect& block, CellSpan out) const override;
  Result<void> prepare(const Work& work) const override { return m_field->prepare(work); }
  double cell_cost() const override { return m_field->cell_cost(); }
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override { return m_field->value_range(); }
  std::optional<std::pair<double, double>> typical_range() const override { return m_field->typical_range(); }
  CellReport report(Index row, Index col) const override { return m_field->report(row, col); }
  std::vector<Mark> marks() const override { return m_field->marks(); }

 private:
  bool is_past(const Rect& tile) const { return tile.cols.end - 1 <= m_past_len + tile.rows.begin; }
  bool is_future(const Rect& tile) const { return tile.cols.begin > m_past_len + tile.rows.end - 1; }

  std::shared_ptr<const Field> m_field;
  Index m_past_len;
};

void PastField::read(const Rect& block, CellSpan out) const {
  m_field->read(block, out);
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        if constexpr (std::numeric_limits<Cell>::has_quiet_NaN) {
          Cell* line = cells.data();
          for (Index row = block.rows.begin; row < block.rows.end; ++row, line += block.cols.size())
            for (Index col = std::max(block.cols.begin, m_past_len + row + 1); col < block.cols.end; ++col)
              line[col - block.cols.begin] = std::numeric_limits<Cell>::quiet_NaN();
        }
      },
      out);
}

/// Tiles that the diagonal crosses are few: a path from the upper left to the lower right.
Result<void> PastField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  if (auto done = m_field->summarize(grid, options, out); !done) return done;
  const auto set = [&](std::size_t tile, float low, float high, float mean) {
    if (!out.min.empty()) out.min[tile] = low;
    if (!out.max.empty()) out.max[tile] = high;
    if (!out.mean.empty()) out.mean[tile] = mean;
  };
  std::vector<std::size_t> crossed;
  for (Index i = 0; i < out.rows; ++i)
    for (Index j = 0; j < out.cols; ++j) {
      const Rect tile = grid.tile(i, j);
      const auto at = static_cast<std::size_t>(i * out.cols + j);
      if (is_future(tile)) set(at, no_number, no_number, no_number);
      if (!is_future(tile) && !is_past(tile)) crossed.push_back(at);
    }
  SummaryOptions one = options;
  one.threads = 1;
  one.max_cells = std::max<Index>(1, options.max_cells / std::max<Index>(1, static_cast<Index>(crossed.size())));
  Summary summary;
  for (const std::size_t at : crossed) {
    const Rect tile = grid.tile(static_cast<Index>(at) / out.cols, static_cast<Index>(at) % out.cols);
    const TileGrid alone{{tile.rows.begin, tile.rows.end}, {tile.cols.begin, tile.cols.end}};
    if (auto done = summarize_cells(*this, MeanKind::arithmetic, alone, one, summary); !done) return done;
    out.exact = out.exact && summary.exact;
    set(at, summary.min.empty() ? no_number : summary.min[0], summary.max.empty() ? no_number : summary.max[0],
        summary.mean.empty() ? no_number : summary.mean[0]);
  }
  return {};
}

}  // namespace

RelativeFunction past_part(const RelativeFunction& f) {
  RelativeFunction past;
  if (!f.even) {
    for (const auto& piece : f.pieces)
      if (piece.begin <= 0) past.pieces.push_back(piece);
  } else {
    // Piece i holds distances from its begin up to the next one's; `nearest` holds 0.
    const std::size_t nearest = static_cast<std::size_t>(&f.piece_at(0) - f.pieces.data());
    for (std::size_t i = f.pieces.size(); i-- > nearest;) {
      const bool last = i + 1 == f.pieces.size();
      past.pieces.push_back(mirrored(f.pieces[i], last ? before_all_positions : 1 - f.pieces[i + 1].begin));
    }
  }
  past.pieces.push_back(no_values_from(1));
  return past;
}

std::shared_ptr<const Field> make_past_part(std::shared_ptr<const Field> field, Index past_len) {
  const FieldForm form = field->form();
  const auto* relative = std::get_if<RelativeForm>(&form);
  if (!relative) return std::make_shared<PastField>(std::move(field), past_len);
  return std::make_shared<RelativeField>(field->extent(), relative->past_len, past_part(*relative->function),
                                         RelativeTexts{"value", {}});
}

}  // namespace vqscope
