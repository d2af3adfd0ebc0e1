// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/layout_mask.h"

#include "core/base/text.h"
#include "core/cells/cell_set.h"
#include "core/mask/preset/layout_bands.h"

namespace vqscope {
namespace {

std::string or_padding(bool valid, Index value) { return valid ? to_text(value) : "padding"; }

}  // namespace

LayoutMask::LayoutMask(SequenceLayout layout, std::vector<TermPtr> terms)
    : m_layout(std::move(layout)), m_terms(std::move(terms)) {
  const bool documents = std::ranges::any_of(m_terms, [](const TermPtr& term) { return term->compares_documents(); });
  m_bands = layout_bands(m_layout, m_terms, documents ? Pairs::same_document : Pairs::all);
  for (const TermPtr& term : m_terms) {
    Pairs pairs = Pairs::all;
    if (documents && term->compares_documents()) pairs = Pairs::same_document;
    if (documents && term->compares_positions()) pairs = Pairs::same_document_or_pass;
    m_term_bands.push_back(layout_bands(m_layout, {&term, 1}, pairs));
  }
}

std::vector<std::string> LayoutMask::terms() const {
  std::vector<std::string> names;
  for (const auto& term : m_terms) names.push_back(term->name());
  return names;
}

Token LayoutMask::query(Index q) const {
  const Index index = m_layout.query_source() == QuerySource::keys ? m_layout.past_len() + q : q;
  return {index, m_layout.q_pos(q), m_layout.q_document(q), m_layout.q_valid(q)};
}

Token LayoutMask::key(Index kv) const {
  return {kv, m_layout.kv_pos(kv), m_layout.kv_document(kv), m_layout.key_valid(kv)};
}

std::optional<std::size_t> LayoutMask::failing_term(Index q, Index kv) const {
  const Token q_token = query(q);
  const Token kv_token = key(kv);
  for (std::size_t i = 0; i < m_terms.size(); ++i)
    if (!m_terms[i]->holds(q_token, kv_token)) return i;
  return std::nullopt;
}

std::string LayoutMask::why(Index q, Index kv) const {
  if (m_terms.empty()) return "visible: no term masks anything";
  const auto failing = failing_term(q, kv);
  if (!failing) return "visible: " + join(terms(), ", ") + (m_terms.size() > 1 ? " hold" : " holds");
  const Term& term = *m_terms[*failing];
  return "masked by " + term.name() + ": " + term.why_not(query(q), key(kv));
}

void LayoutMask::verdicts(Index q, Index kv, std::vector<Verdict>& out) const {
  const Token q_token = query(q);
  const Token kv_token = key(kv);
  out.clear();
  for (const TermPtr& term : m_terms) out.push_back(term->holds(q_token, kv_token) ? Verdict::yes : Verdict::no);
}

std::vector<std::pair<std::string, std::string>> LayoutMask::facts(Index q, Index kv) const {
  const Token a = query(q);
  const Token b = key(kv);
  return {{"q_pos", or_padding(a.valid, a.position)},
          {"kv_pos", or_padding(b.valid, b.position)},
          {"q_doc", or_padding(a.valid, a.document)},
          {"kv_doc", or_padding(b.valid, b.document)}};
}

void LayoutMask::row(Index q, std::vector<Range>& out) const { row_of(m_bands, q, out); }

std::span<const Band> LayoutMask::bands(Range rows, std::vector<Band>&) const { return bands_in(m_bands, rows); }

std::span<const Band> LayoutMask::term_bands(std::size_t term, Range rows, std::vector<Band>&) const {
  return bands_in(m_term_bands[term], rows);
}

}  // namespace vqscope
