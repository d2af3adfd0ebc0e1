// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "core/mask/mask.h"

namespace vqscope::test {

/// (kv <= q) & (q - kv < window) & (kv % 5 != 3), with comparisons beneath its terms, cell by cell
/// and without bands. The window is not evaluated where causal is false, and its comparison is an
/// error for key 7.
class ComparedMask : public Mask {
 public:
  ComparedMask(Index size, Index window) : m_size(size), m_window(window) {}

  Extent extent() const override { return {m_size, m_size}; }
  std::vector<std::string> terms() const override { return {"causal", "window", "sieve"}; }
  std::optional<std::size_t> failing_term(Index q, Index kv) const override {
    if (kv > q) return 0;
    if (q - kv >= m_window) return 1;
    return kv % 5 == 3 ? std::optional<std::size_t>(2) : std::nullopt;
  }
  std::string why(Index q, Index kv) const override {
    const auto failing = failing_term(q, kv);
    return failing ? "masked by " + terms()[*failing] : "visible";
  }
  std::vector<MaskColumn> columns() const override {
    return {{"causal", 0}, {"kv_idx <= q_idx", 0, true}, {"window", 1}, {"q_idx - kv_idx < window", 1, true},
            {"sieve", 2},  {"kv_idx % 5 != 3", 2, true}};
  }
  void verdicts(Index q, Index kv, std::vector<Verdict>& out) const override {
    const auto verdict_of = [](bool holds) { return holds ? Verdict::yes : Verdict::no; };
    const Verdict causal = verdict_of(kv <= q);
    const Verdict window = kv == 7 ? Verdict::error : kv > q ? Verdict::skipped : verdict_of(q - kv < m_window);
    const Verdict sieve = verdict_of(kv % 5 != 3);
    out = {causal, causal, window, window, sieve, sieve};
  }
  std::vector<std::pair<std::string, std::string>> facts(Index q, Index kv) const override {
    return {{"q_idx", to_text(q)}, {"kv_idx", to_text(kv)}};
  }
  void row(Index q, std::vector<Range>& out) const override {
    out.clear();
    for (Index kv = 0; kv < m_size; ++kv) {
      if (!visible(q, kv)) continue;
      if (!out.empty() && out.back().end == kv)
        ++out.back().end;
      else
        out.push_back({kv, kv + 1});
    }
  }
  std::span<const Band> term_bands(std::size_t, Range, std::vector<Band>& scratch) const override {
    scratch.clear();
    return scratch;
  }

 private:
  Index m_size;
  Index m_window;
};

}  // namespace vqscope::test
