// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/layout_mask.h"

#include "core/base/text.h"

namespace vqscope {
namespace {

using Terms = std::span<const TermPtr>;

/// Neighbouring runs that differ in document and position only, as one.
std::vector<TokenRun> without_documents(std::span<const TokenRun> runs) {
  std::vector<TokenRun> merged;
  for (const auto& run : runs) {
    if (!merged.empty() && merged.back().valid == run.valid)
      merged.back().tokens.end = run.tokens.end;
    else
      merged.push_back(run);
  }
  return merged;
}

Band whole(Range rows, Range cols) { return {rows, Ramp::constant(cols.begin), Ramp::constant(cols.end)}; }

class BandBuilder {
 public:
  BandBuilder(std::span<const TokenRun> q_runs, std::span<const TokenRun> kv_runs)
      : m_q_runs(q_runs), m_kv_runs(kv_runs) {
    for (const auto& run : kv_runs) {
      const auto document = static_cast<std::size_t>(run.document + 1);
      if (m_run_of_document.size() <= document) m_run_of_document.resize(document + 1);
      m_run_of_document[document] = &run;
    }
  }

  /// Every pair of runs.
  std::vector<Band> all_pairs(Terms terms) {
    return build([&](const TokenRun& q) {
      for (const auto& kv : m_kv_runs) append(q, kv, terms);
    });
  }

  /// A query run meets its own document; the keys around it are `around` or not visible.
  std::vector<Band> own_document(Terms terms, bool around) {
    return build([&](const TokenRun& q) {
      const auto document = static_cast<std::size_t>(q.document + 1);
      const auto* kv = document < m_run_of_document.size() ? m_run_of_document[document] : nullptr;
      if (!kv) return;
      const Range before{0, kv->tokens.begin};
      const Range after{kv->tokens.end, m_kv_runs.back().tokens.end};
      if (around && q.valid && before.size() > 0) m_bands.push_back(whole(q.tokens, before));
      append(q, *kv, terms);
      if (around && q.valid && after.size() > 0) m_bands.push_back(whole(q.tokens, after));
    });
  }

 private:
  template <class Each>
  std::vector<Band> build(const Each& each) {
    for (const auto& q : m_q_runs) {
      const std::size_t before = m_bands.size();
      each(q);
      if (m_bands.size() == before) m_bands.push_back(whole(q.tokens, {}));
    }
    return std::move(m_bands);
  }

  void append(const TokenRun& q, const TokenRun& kv, Terms terms) {
    Band band = whole(q.tokens, kv.tokens);
    if (std::ranges::all_of(terms, [&](const TermPtr& term) { return term->narrow(q, kv, band); }))
      m_bands.push_back(band);
  }

  std::span<const TokenRun> m_q_runs;
  std::span<const TokenRun> m_kv_runs;
  std::vector<const TokenRun*> m_run_of_document;  ///< by document_id + 1; a document is one run
  std::vector<Band> m_bands;
};

bool any_compares_documents(Terms terms) {
  return std::ranges::any_of(terms, [](const TermPtr& term) { return term->compares_documents(); });
}

/// Where all of `terms` hold; `around`: and outside of the query's document, when only pairs within it count.
std::vector<Band> bands_of(const SequenceLayout& layout, Terms terms, bool within_document, bool around) {
  const auto compares_positions = [](const TermPtr& term) { return term->compares_positions(); };
  if (within_document) return BandBuilder(layout.q_runs(), layout.kv_runs()).own_document(terms, around);
  if (std::ranges::any_of(terms, compares_positions))
    return BandBuilder(layout.q_runs(), layout.kv_runs()).all_pairs(terms);
  const auto q_runs = without_documents(layout.q_runs());
  const auto kv_runs = without_documents(layout.kv_runs());
  return BandBuilder(q_runs, kv_runs).all_pairs(terms);
}

std::string or_padding(bool valid, Index value) { return valid ? to_text(value) : "padding"; }

}  // namespace

LayoutMask::LayoutMask(SequenceLayout layout, std::vector<TermPtr> terms)
    : m_layout(std::move(layout)), m_terms(std::move(terms)) {
  const bool documents = any_compares_documents(m_terms);
  m_bands = bands_of(m_layout, m_terms, documents, false);
  for (std::size_t i = 0; i < m_terms.size(); ++i) {
    const bool positions = m_terms[i]->compares_positions();
    const bool within = documents && (positions || m_terms[i]->compares_documents());
    m_term_bands.push_back(bands_of(m_layout, Terms(m_terms).subspan(i, 1), within, positions));
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

std::vector<std::pair<std::string, std::string>> LayoutMask::facts(Index q, Index kv) const {
  const Token a = query(q);
  const Token b = key(kv);
  return {{"q_pos", or_padding(a.valid, a.position)},
          {"kv_pos", or_padding(b.valid, b.position)},
          {"q_doc", or_padding(a.valid, a.document)},
          {"kv_doc", or_padding(b.valid, b.document)}};
}

void LayoutMask::row(Index q, std::vector<Range>& out) const {
  out.clear();
  for (const Band& band : bands_in(m_bands, {q, q + 1})) {
    const Range interval = band.row(q);
    if (interval.size() == 0) continue;
    if (!out.empty() && out.back().end == interval.begin)
      out.back().end = interval.end;
    else
      out.push_back(interval);
  }
}

std::span<const Band> LayoutMask::bands(Range rows, std::vector<Band>&) const { return bands_in(m_bands, rows); }

std::span<const Band> LayoutMask::term_bands(std::size_t term, Range rows, std::vector<Band>&) const {
  return bands_in(m_term_bands[term], rows);
}

}  // namespace vqscope
