// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <algorithm>
#include <string>
#include <vector>

namespace vqscope::test {

/// Cells in memory: a mask without bands of its own, whose cells can be flipped.
class RowMask : public Mask {
 public:
  explicit RowMask(const Mask& from) : m_extent(from.extent()) {
    for (Index q = 0; q < m_extent.rows; ++q)
      for (Index kv = 0; kv < m_extent.cols; ++kv) m_cells.push_back(from.visible(q, kv));
  }

  void flip(Index q, Index kv) { m_cells[at(q, kv)] = !m_cells[at(q, kv)]; }
  void invert() { m_cells.flip(); }

  Extent extent() const override { return m_extent; }
  std::vector<std::string> terms() const override { return {"cells"}; }
  std::optional<std::size_t> failing_term(Index q, Index kv) const override {
    return m_cells[at(q, kv)] ? std::nullopt : std::optional<std::size_t>(0);
  }
  std::string why(Index, Index) const override { return "cells"; }
  void verdicts(Index q, Index kv, std::vector<Verdict>& out) const override {
    out = {visible(q, kv) ? Verdict::yes : Verdict::no};
  }
  std::vector<std::pair<std::string, std::string>> facts(Index, Index) const override { return {}; }
  void row(Index q, std::vector<Range>& out) const override {
    out.clear();
    for (Index kv = 0; kv < m_extent.cols; ++kv) {
      if (!m_cells[at(q, kv)]) continue;
      if (out.empty() || out.back().end != kv) out.push_back({kv, kv});
      ++out.back().end;
    }
  }
  std::span<const Band> term_bands(std::size_t, Range rows, std::vector<Band>& scratch) const override {
    return bands(rows, scratch);
  }

 private:
  std::size_t at(Index q, Index kv) const { return static_cast<std::size_t>(q * m_extent.cols + kv); }

  Extent m_extent;
  std::vector<bool> m_cells;
};

}  // namespace vqscope::test
