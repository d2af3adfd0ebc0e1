// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/difference_field.h"

#include "core/base/text.h"
#include "core/field/cell_summary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

class DifferenceField : public Field {
 public:
  using Part = std::shared_ptr<const Field>;

  DifferenceField(Part a, Part b, DifferenceKind kind) : m_a(std::move(a)), m_b(std::move(b)), m_kind(kind) {
    if (const auto* part = dynamic_cast<const Subtractable*>(m_a.get())) m_closed = part->minus(*m_b, kind);
  }

  Extent extent() const override { return m_a->extent(); }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    if (m_closed) return m_closed->at(row, col);
    return subtract(m_a->at(row, col), m_b->at(row, col));
  }
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const Lattice& lattice, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;
  std::vector<Mark> marks() const override;

 private:
  double subtract(double a, double b) const {
    return m_kind == DifferenceKind::angular ? angular_difference(a, b) : a - b;
  }
  Result<void> summarize_plain(const Lattice& lattice, const SummaryOptions& options, Summary& out) const;

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
        const auto width = static_cast<std::size_t>(block.cols.size());
        std::vector<double> a(width);
        std::vector<double> b(width);
        Cell* next = cells.data();
        for (Index row = block.rows.begin; row < block.rows.end; ++row) {
          m_a->read({{row, row + 1}, block.cols}, std::span(a));
          m_b->read({{row, row + 1}, block.cols}, std::span(b));
          for (std::size_t col = 0; col < width; ++col) *next++ = static_cast<Cell>(subtract(a[col], b[col]));
        }
      },
      out);
}

/// What the parts' own summaries settle: a mean is the difference of exact means, extremes follow where one part is
/// the same all over the tile. Only what is left costs a look at the cells.
Result<void> DifferenceField::summarize_plain(const Lattice& lattice, const SummaryOptions& options,
                                              Summary& out) const {
  Summary a;
  Summary b;
  for (auto [part, summary] : {std::pair(&m_a, &a), std::pair(&m_b, &b)})
    if (auto done = (*part)->summarize(lattice, options, *summary); !done) return done;
  const bool exact = a.exact && b.exact;
  const auto mean_known = [&](std::size_t t) { return exact && std::isfinite(a.mean[t]) && std::isfinite(b.mean[t]); };
  const auto extremes_known = [&](std::size_t t) {
    const bool finite =
        std::isfinite(a.min[t]) && std::isfinite(a.max[t]) && std::isfinite(b.min[t]) && std::isfinite(b.max[t]);
    return exact && finite && (a.min[t] == a.max[t] || b.min[t] == b.max[t]);
  };
  out.shape(lattice, options);
  const auto tiles = static_cast<std::size_t>(out.rows * out.cols);
  bool all_known = true;
  for (std::size_t t = 0; t < tiles && all_known; ++t)
    all_known = (!options.mean || mean_known(t)) && (!options.extremes || extremes_known(t));
  if (!all_known)
    if (auto done = summarize_cells(*this, MeanKind::arithmetic, lattice, options, out); !done) return done;
  for (std::size_t t = 0; t < tiles; ++t) {
    if (options.mean && mean_known(t)) out.mean[t] = a.mean[t] - b.mean[t];
    if (!options.extremes || !extremes_known(t)) continue;
    out.min[t] = a.min[t] - b.max[t];
    out.max[t] = a.max[t] - b.min[t];
  }
  return {};
}

Result<void> DifferenceField::summarize(const Lattice& lattice, const SummaryOptions& options, Summary& out) const {
  if (m_closed) return m_closed->summarize(lattice, options, out);
  if (m_kind == DifferenceKind::angular)
    return summarize_cells(*this, MeanKind::direction_signed, lattice, options, out);
  return summarize_plain(lattice, options, out);
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
  CellReport both{{{"difference", to_text(at(row, col), 9)}}, "first: " + a.why + "; second: " + b.why};
  for (const auto& fact : a.facts) {
    const auto same = std::ranges::find(b.facts, fact.first, [](const auto& each) { return each.first; });
    const bool differs = same != b.facts.end() && same->second != fact.second;
    both.facts.emplace_back(fact.first, differs ? fact.second + " − " + same->second : fact.second);
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

std::string extent_text(const Extent& extent) { return to_text(extent.rows) + " × " + to_text(extent.cols); }

}  // namespace

double angular_difference(double a, double b) {
  const double wrapped = std::remainder(a - b, 2 * std::numbers::pi);
  return wrapped <= -std::numbers::pi ? std::numbers::pi : wrapped;
}

Result<std::shared_ptr<const Field>> make_difference(std::shared_ptr<const Field> a, std::shared_ptr<const Field> b,
                                                     DifferenceKind kind) {
  if (a->extent() != b->extent())
    return invalid("cannot subtract a matrix of " + extent_text(b->extent()) + " from one of " +
                   extent_text(a->extent()) + ", rows and columns must be equal");
  return std::shared_ptr<const Field>(std::make_shared<DifferenceField>(std::move(a), std::move(b), kind));
}

Result<std::shared_ptr<const Field>> make_compared_field(const Method& method, const ParameterValues& values,
                                                         const std::optional<ParameterValues>& minus) {
  auto a = make_field(method, values);
  if (!a || !minus) return a;
  auto b = make_field(method, *minus);
  if (!b) return b;
  const bool angles = method.field()->scale == ValueScale::cyclic;
  return make_difference(*a, *b, angles ? DifferenceKind::angular : DifferenceKind::plain);
}

}  // namespace vqscope
