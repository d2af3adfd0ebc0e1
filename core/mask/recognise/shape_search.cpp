// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/shape_search.h"

namespace vqscope {
namespace {

/// Rows that are looked at while searching; all are at the end.
constexpr Index searched_rows = 4096;
/// Borders that are tried one by one.
constexpr std::size_t most_single_borders = 256;

}  // namespace

ShapeSearch::ShapeSearch(const MaskRows& rows, CountBudget& budget)
    : m_rows(rows),
      m_votes(rows, budget.stop),
      m_budget(budget),
      m_pads_left(m_votes.pads(true)),
      m_pads_right(m_votes.pads(false)),
      m_blind_first(m_votes.blinds(true)),
      m_blind_last(m_votes.blinds(false)),
      m_hidden(m_votes.hidden()),
      m_best{.extent = rows.extent()} {
  const Index count = std::min(rows.extent().rows, searched_rows);
  for (Index i = 0; i < count; ++i) m_searched.push_back(i * rows.extent().rows / count);
}

void ShapeSearch::run(Index exception_cost) {
  m_exception_cost = exception_cost;
  m_best = {.extent = m_rows.extent()};
  m_best_cost = none;
  for (const Index past_len : m_votes.past_lens()) {
    if (stopped()) return;
    MaskShape start{.extent = m_rows.extent(), .past_len = past_len};
    m_documents = m_votes.documents(past_len);
    m_widening = m_votes.widening_documents(past_len);
    improve(start);
    if (is_exact()) continue;
    start.right = 0;  // which most masks have, and a single change does not always lead to
    improve(start);
    if (!is_exact()) improve_dilated(start);
  }
}

void ShapeSearch::improve_dilated(const MaskShape& start) {
  constexpr std::size_t most_tried = 2;
  for (const Index dilation : m_votes.dilations(most_tried))
    for (const Index left : m_votes.lefts(start, most_tried)) {
      MaskShape shape = start;
      shape.dilation = dilation;
      shape.left = left;
      improve(shape);
    }
}

void ShapeSearch::improve(MaskShape shape) {
  Index cost = cost_of(shape, none);
  for (bool better = true; better && !stopped();) {
    m_step = shape;
    m_step_cost = cost;
    try_changes(shape);
    better = m_step_cost < cost;
    shape = m_step;
    cost = m_step_cost;
  }
  if (cost >= m_best_cost) return;
  m_best = shape;
  m_best_cost = cost;
}

void ShapeSearch::try_changes(const MaskShape& shape) {
  try_right(shape);
  try_left(shape);
  try_counts(shape, &MaskShape::pad_left, m_pads_left);
  try_counts(shape, &MaskShape::pad_right, m_pads_right);
  for (const Range& keys : m_hidden) {
    MaskShape hiding = shape;
    hiding.hidden = keys;
    try_shape(hiding);
  }
  try_counts(shape, &MaskShape::blind_first, m_blind_first);
  try_counts(shape, &MaskShape::blind_last, m_blind_last);
  if (!shape.documents_widen) try_documents(shape);
  try_widening(shape);
}

void ShapeSearch::try_right(MaskShape shape) {
  shape.right.reset();
  shape.prefix = 0;
  if (!shape.documents_widen) try_shape(shape);  // which would show every key
  for (const Index right : m_votes.rights(shape)) {
    shape.right = right;
    try_counts(shape, &MaskShape::prefix, m_votes.prefixes(shape));
  }
}

void ShapeSearch::try_left(MaskShape shape) {
  const auto dilations = m_votes.dilations();
  const auto sinks = m_votes.sinks(shape);
  shape.sinks = 0;
  std::vector<std::optional<Index>> lefts{std::nullopt};
  for (const Index left : m_votes.lefts(shape)) lefts.emplace_back(left);
  for (const auto& left : lefts) {
    shape.left = left;
    shape.sinks = 0;
    try_counts(shape, &MaskShape::dilation, dilations);
    shape.dilation = 1;
    if (left) try_counts(shape, &MaskShape::sinks, sinks);
  }
}

void ShapeSearch::try_documents(MaskShape shape) {
  const auto current = shape.document_starts;
  shape.document_starts.clear();
  try_shape(shape);
  for (const auto& borders : m_documents) {
    shape.document_starts = borders;
    try_shape(shape);
  }
  if (current.size() > most_single_borders) return;
  for (std::size_t i = 0; i < current.size(); ++i) {
    shape.document_starts = current;
    shape.document_starts.erase(shape.document_starts.begin() + static_cast<std::ptrdiff_t>(i));
    try_shape(shape);
  }
  for (const Index border : single_borders()) {
    shape.document_starts = current;
    const auto at = std::ranges::lower_bound(shape.document_starts, border);
    if (at != shape.document_starts.end() && *at == border) continue;
    shape.document_starts.insert(at, border);
    try_shape(shape);
  }
}

void ShapeSearch::try_widening(MaskShape shape) {
  if (shape.documents_widen) {
    MaskShape narrow = shape;
    narrow.documents_widen = false;
    narrow.document_starts.clear();
    try_shape(narrow);
  }
  if (!shape.right) shape.right = 0;
  shape.documents_widen = true;
  for (const auto& borders : m_widening) {
    shape.document_starts = borders;
    try_shape(shape);
  }
}

std::vector<Index> ShapeSearch::single_borders() const {
  for (auto set = m_documents.rbegin(); set != m_documents.rend(); ++set)
    if (set->size() <= most_single_borders) return *set;
  return {};
}

void ShapeSearch::try_counts(const MaskShape& counted, Index MaskShape::*count, const std::vector<Index>& values) {
  MaskShape shape = counted;
  shape.*count = count == &MaskShape::dilation ? 1 : 0;
  try_shape(shape);
  for (const Index value : values) {
    shape.*count = value;
    try_shape(shape);
  }
}

void ShapeSearch::try_shape(MaskShape shape) {
  if (stopped()) return;
  // No interval crosses a border within padding.
  std::erase_if(shape.document_starts, [&](Index border) {
    return border <= shape.pad_left || border >= shape.extent.cols - shape.pad_right ||
           (shape.hidden.begin < border && border < shape.hidden.end);
  });
  if (shape.documents_widen && shape.document_starts.empty()) return;
  const Index cost = cost_of(shape, m_step_cost);
  if (cost >= m_step_cost) return;
  m_step = shape;
  m_step_cost = cost;
}

Index ShapeSearch::cost_of(const MaskShape& shape, Index enough) {
  if (shape.pad_left + shape.pad_right >= shape.extent.cols) return none;
  Index cost = shape.size();
  for (const Index q : m_searched) {
    if (cost >= enough) return cost;
    shape.row(q, m_row);
    const auto row = m_rows.row(q);
    if (!m_budget.spend(comparison_steps + interval_steps * static_cast<Index>(row.size() + m_row.size()))) return none;
    cost += m_exception_cost * cells_apart(row, m_row);
  }
  return cost;
}

}  // namespace vqscope
