// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/difference_field.h"

#include "core/base/sentence.h"
#include "core/field/block_walk.h"
#include "core/field/cell_summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

class DifferenceField : public Field {
 public:
  using Part = std::shared_ptr<const Field>;

  DifferenceField(Part a, Part b, DifferenceKind kind)
      : m_a(std::move(a)), m_b(std::move(b)), m_kind(kind), m_closed(m_a->minus(*m_b, kind)) {}

  Extent extent() const override { return m_a->extent(); }
  CellType cell_type() const override { return CellType::float32; }
  double cell_cost() const override { return m_closed ? m_closed->cell_cost() : m_a->cell_cost() + m_b->cell_cost(); }
  double at(Index row, Index col) const override {
    if (m_closed) return m_closed->at(row, col);
    return subtract(m_a->at(row, col), m_b->at(row, col));
  }
  Result<void> prepare(const Work& work) const override {
    auto ready = m_a->prepare(work);
    return ready ? m_b->prepare(work) : ready;
  }
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;
  std::vector<Mark> marks() const override;
  std::vector<std::string> reasons() const override {
    return m_closed ? m_closed->reasons() : std::vector<std::string>();
  }
  std::optional<std::pair<double, double>> typical_range() const override {
    return m_closed ? m_closed->typical_range() : std::nullopt;
  }
  /// Only for functions of relative position: a difference of other closed forms has none.
  FieldForm form() const override {
    const FieldForm closed = m_closed ? m_closed->form() : FieldForm();
    return std::holds_alternative<RelativeForm>(closed) ? closed : FieldForm();
  }

 private:
  double subtract(double a, double b) const {
    return m_kind == DifferenceKind::angular ? angular_difference(a, b) : a - b;
  }
  Result<void> summarize_plain(const TileGrid& grid, const SummaryOptions& options, Summary& out) const;

  Part m_a;
  Part m_b;
  DifferenceKind m_kind;
  Part m_closed;  ///< the closed form, when the parts have one
};

void DifferenceField::read(const Rect& block, CellSpan out) const {
  if (m_closed) return m_closed->read(block, out);
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(cells.size() == block.area());
        if (cells.empty()) return;
        std::vector<double> a;
        std::vector<double> b;
        Cell* next = cells.data();
        for (BlockWalk walk(block); !walk.done();) {
          const Rect piece = walk.next();
          const auto count = static_cast<std::size_t>(piece.area());
          a.resize(count);
          b.resize(count);
          m_a->read(piece, std::span(a));
          m_b->read(piece, std::span(b));
          for (std::size_t i = 0; i < count; ++i) *next++ = static_cast<Cell>(subtract(a[i], b[i]));
        }
      },
      out);
}

/// Whether the difference of two float32 numbers is significant: within 2^-14 of each other, more
/// than one part in a thousand of it is their rounding.
bool apart(float a, float b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return (a == 0 && b == 0) || std::abs(a - b) > 0x1p-14F * std::max(std::abs(a), std::abs(b));
}

/// Whether float32 holds every value of the field without rounding: buckets, visibility.
bool float_holds(const Field& field) {
  const auto [low, high] = field.value_range();
  return field.cell_type() != CellType::float32 && low >= -0x1p24 && high <= 0x1p24;
}

/// Means and extremes that follow from the summaries of the parts: a mean is the difference of
/// exact means, extremes follow where one part is the same all over the tile.
class DifferenceOfSummaries {
 public:
  DifferenceOfSummaries(const Summary& a, const Summary& b, bool whole_numbers)
      : m_a(a), m_b(b), m_exact(a.exact && b.exact), m_whole(whole_numbers) {}

  bool mean_known(std::size_t t) const { return m_exact && (apart(m_a.mean[t], m_b.mean[t]) || constant(t)); }
  bool extremes_known(std::size_t t) const {
    if (!m_exact || !(m_a.min[t] == m_a.max[t] || m_b.min[t] == m_b.max[t])) return false;
    return m_whole || (apart(m_a.min[t], m_b.max[t]) && apart(m_a.max[t], m_b.min[t]));
  }
  float mean(std::size_t t) const { return constant(t) ? m_a.min[t] - m_b.min[t] : m_a.mean[t] - m_b.mean[t]; }
  float min(std::size_t t) const { return m_a.min[t] - m_b.max[t]; }
  float max(std::size_t t) const { return m_a.max[t] - m_b.min[t]; }

 private:
  /// The same number all over the tile in both parts, without a rounding.
  bool constant(std::size_t t) const { return m_whole && m_a.min[t] == m_a.max[t] && m_b.min[t] == m_b.max[t]; }

  const Summary& m_a;
  const Summary& m_b;
  bool m_exact;
  bool m_whole;
};

/// Only tiles that the parts leave open are read cell by cell; tiles of one cell are that cell.
Result<void> DifferenceField::summarize_plain(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  const auto visit = [&] { return summarize_cells(*this, MeanKind::arithmetic, grid, options, out); };
  const auto tiles = static_cast<std::size_t>(grid.rows() * grid.cols());
  if (grid.bounds().area() == tiles) return visit();
  Summary a;
  Summary b;
  SummaryOptions both = options;
  both.extremes = true;
  both.reasons = false;
  for (auto [part, summary] : {std::pair(&m_a, &a), std::pair(&m_b, &b)})
    if (auto done = (*part)->summarize(grid, both, *summary); !done) return done;
  const DifferenceOfSummaries parts(a, b, float_holds(*m_a) && float_holds(*m_b));
  const auto tile = [&](std::size_t t) {
    return grid.tile(static_cast<Index>(t) / grid.cols(), static_cast<Index>(t) % grid.cols());
  };
  const auto known = [&](std::size_t t) {
    return (!options.mean || parts.mean_known(t)) && (!options.extremes || parts.extremes_known(t));
  };
  bool all_known = true;
  for (std::size_t t = 0; t < tiles && all_known; ++t) all_known = known(t) || tile(t).area() == 1;
  out.shape(grid, options);
  if (!all_known)
    if (auto done = visit(); !done || out.exact) return done;
  for (std::size_t t = 0; t < tiles; ++t) {
    const Rect cells = tile(t);
    if (cells.area() == 1) {
      const auto value = static_cast<float>(at(cells.rows.begin, cells.cols.begin));
      if (options.mean) out.mean[t] = value;
      if (options.extremes) out.min[t] = out.max[t] = value;
      continue;
    }
    if (options.mean && parts.mean_known(t)) out.mean[t] = parts.mean(t);
    if (!options.extremes || !parts.extremes_known(t)) continue;
    out.min[t] = parts.min(t);
    out.max[t] = parts.max(t);
  }
  return {};
}

Result<void> DifferenceField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  if (m_closed) return m_closed->summarize(grid, options, out);
  if (auto ready = prepare({.progress = {}, .stop = options.stop}); !ready) return ready;
  if (m_kind == DifferenceKind::angular) return summarize_cells(*this, MeanKind::direction_signed, grid, options, out);
  return summarize_plain(grid, options, out);
}

std::pair<double, double> DifferenceField::value_range() const {
  if (m_kind == DifferenceKind::angular) return {-std::numbers::pi, std::numbers::pi};
  const auto [a_low, a_high] = m_a->value_range();
  const auto [b_low, b_high] = m_b->value_range();
  return {a_low - b_high, a_high - b_low};
}

CellReport DifferenceField::report(Index row, Index col) const {
  const CellReport a = m_a->report(row, col);
  const CellReport b = m_b->report(row, col);
  CellReport both{{{"difference", to_text(at(row, col), 9)}},
                  a.why == b.why ? "A and B: " + a.why : fmt::format("A: {}; B: {}", a.why, b.why)};
  for (const auto& fact : a.facts) {
    const auto same = std::ranges::find(b.facts, fact.first, [](const auto& each) { return each.first; });
    const bool differs = same != b.facts.end() && same->second != fact.second;
    both.facts.emplace_back(fact.first, differs ? fmt::format("{} − {}", fact.second, same->second) : fact.second);
  }
  return both;
}

std::vector<Mark> DifferenceField::marks() const {
  std::vector<Mark> all = m_a->marks();
  for (const auto& mark : m_b->marks()) {
    const auto same = [&](const Mark& each) { return each.axis == mark.axis && each.at == mark.at; };
    if (std::ranges::none_of(all, same)) all.push_back(mark);
  }
  return all;
}

std::string extent_text(const Extent& extent) { return fmt::format("{} × {}", extent.rows, extent.cols); }

}  // namespace

double angular_difference(double a, double b) {
  const double wrapped = std::remainder(a - b, 2 * std::numbers::pi);
  return wrapped <= -std::numbers::pi ? std::numbers::pi : wrapped;
}

Result<std::shared_ptr<const Field>> make_difference(std::shared_ptr<const Field> a, std::shared_ptr<const Field> b,
                                                     DifferenceKind kind) {
  if (a->extent() != b->extent())
    return invalid("cannot subtract a matrix of {} from one of {}, rows and columns must be equal",
                   extent_text(b->extent()), extent_text(a->extent()));
  return std::shared_ptr<const Field>(std::make_shared<DifferenceField>(std::move(a), std::move(b), kind));
}

}  // namespace vqscope
