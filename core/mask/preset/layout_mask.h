// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/mask/preset/term.h"

namespace vqscope {

/// Terms over the logical positions, documents and padding of a SequenceLayout.
///
/// Within a run of queries and a run of keys every term is one interval a row with ends of slope 0 or 1, so the mask
/// is a list of bands, one for each pair of runs that see each other. With same_document among the terms a query run
/// meets only its own document: memory grows with the number of documents, never with T.
class LayoutMask : public Mask {
 public:
  LayoutMask(SequenceLayout layout, std::vector<TermPtr> terms);

  Extent extent() const override { return {m_layout.q_length(), m_layout.kv_length()}; }
  std::vector<std::string> terms() const override;
  std::optional<std::size_t> failing_term(Index q, Index kv) const override;
  std::string why(Index q, Index kv) const override;
  void verdicts(Index q, Index kv, std::vector<Verdict>& out) const override;
  std::vector<std::pair<std::string, std::string>> facts(Index q, Index kv) const override;
  void row(Index q, std::vector<Range>& out) const override;
  bool has_bands() const override { return true; }
  std::span<const Band> bands(Range rows, std::vector<Band>& scratch) const override;

  /// With same_document among the terms, a term on positions passes keys of other documents: positions restart there.
  std::span<const Band> term_bands(std::size_t term, Range rows, std::vector<Band>& scratch) const override;

  const SequenceLayout& layout() const { return m_layout; }

 private:
  Token query(Index q) const;
  Token key(Index kv) const;

  SequenceLayout m_layout;
  std::vector<TermPtr> m_terms;
  std::vector<Band> m_bands;
  std::vector<std::vector<Band>> m_term_bands;
};

}  // namespace vqscope
