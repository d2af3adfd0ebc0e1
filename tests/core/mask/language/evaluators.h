// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "core/mask/language/language_mask.h"

#include <limits>
#include <string>
#include <vector>

namespace vqscope::test {

/// Cells of a mask as a picture, row-major.
using Cells = std::vector<bool>;

inline Cells by_plain(const LanguageMask& mask) {
  Cells cells;
  for (Index q = 0; q < mask.extent().rows; ++q)
    for (Index kv = 0; kv < mask.extent().cols; ++kv) cells.push_back(!mask.failing_term(q, kv));
  return cells;
}

inline Cells by_cells(const LanguageMask& mask) {
  Cells cells;
  for (Index q = 0; q < mask.extent().rows; ++q)
    for (Index kv = 0; kv < mask.extent().cols; ++kv) cells.push_back(mask.visible(q, kv));
  return cells;
}

inline void mark(Cells& cells, Index cols, Index q, Range seen) {
  for (Index kv = seen.begin; kv < seen.end; ++kv) cells[static_cast<std::size_t>(q * cols + kv)] = true;
}

inline Cells by_rows(const LanguageMask& mask, std::string& wrong) {
  const auto [rows, cols] = mask.extent();
  Cells cells(static_cast<std::size_t>(rows * cols));
  std::vector<Range> intervals;
  for (Index q = 0; q < rows; ++q) {
    mask.row(q, intervals);
    Index last = -1;
    for (const Range& seen : intervals) {
      if (seen.begin <= last || seen.size() <= 0 || seen.end > cols)
        wrong = "intervals are out of order";
      else
        mark(cells, cols, q, seen);
      last = seen.end;
    }
  }
  return cells;
}

inline Cells by_conditions(const LanguageMask& mask) {
  const auto [rows, cols] = mask.extent();
  Cells cells(static_cast<std::size_t>(rows * cols));
  std::vector<Range> intervals;
  for (Index q = 0; q < rows; ++q) {
    CountBudget unlimited;
    constexpr auto no_limit = std::numeric_limits<std::size_t>::max();
    mask.visible_condition().row(q, {0, mask.extent().cols}, no_limit, unlimited, intervals);
    for (const Range& seen : intervals) mark(cells, cols, q, seen);
  }
  return cells;
}

inline Cells by_lanes(const LanguageMask& mask) {
  const auto [rows, cols] = mask.extent();
  Cells cells;
  std::vector<std::uint8_t> row(static_cast<std::size_t>(cols));
  for (Index q = 0; q < rows; ++q) {
    mask.visible_condition().lanes().row(q, {0, cols}, row.data());
    cells.insert(cells.end(), row.begin(), row.end());
  }
  return cells;
}

inline Cells by_bands(std::span<const Band> bands, Extent extent, std::string& wrong) {
  Cells cells(static_cast<std::size_t>(extent.rows * extent.cols));
  Index covered = 0;
  Range group;
  for (const Band& band : bands) {
    if (band.rows != group) {
      if (band.rows.begin != covered) wrong = "bands leave out rows";
      group = band.rows;
      covered = group.end;
    }
    for (Index q = band.rows.begin; q < band.rows.end; ++q) {
      const Range seen = band.row(q);
      if (seen.begin < 0 || seen.begin > seen.end || seen.end > extent.cols)
        return wrong = "band is no interval", cells;
      for (Index kv = seen.begin; kv < seen.end; ++kv)
        if (cells[static_cast<std::size_t>(q * extent.cols + kv)]) wrong = "bands overlap";
      mark(cells, extent.cols, q, seen);
    }
  }
  if (covered != extent.rows) wrong = "bands leave out the last rows";
  return cells;
}

/// Rectangles of several sizes that claim to be all or none and are not.
inline bool tiles_lie(const LanguageMask& mask, const Cells& cells) {
  const auto [rows, cols] = mask.extent();
  for (const Index size : {1, 3, 8})
    for (Index q = 0; q < rows; q += size)
      for (Index kv = 0; kv < cols; kv += size) {
        const Rect tile{{q, std::min(q + size, rows)}, {kv, std::min(kv + size, cols)}};
        const Coverage coverage = mask.coverage(tile);
        if (coverage == Coverage::mixed) continue;
        for (Index i = tile.rows.begin; i < tile.rows.end; ++i)
          for (Index j = tile.cols.begin; j < tile.cols.end; ++j)
            if (cells[static_cast<std::size_t>(i * cols + j)] != (coverage == Coverage::all)) return true;
      }
  return false;
}

/// Which evaluator does not agree with the plain one, and where; nothing: they all do.
inline std::string evaluators_differ(const LanguageMask& mask) {
  const Cells plain = by_plain(mask);
  std::string wrong;
  const auto compare = [&](const char* name, const Cells& other) {
    if (!wrong.empty()) wrong = std::string(name) + ": " + wrong;
    for (std::size_t i = 0; i < plain.size() && wrong.empty(); ++i)
      if (plain[i] != other[i]) {
        const auto at = static_cast<Index>(i);
        wrong = std::string(name) + " differs at (" + to_text(at / mask.extent().cols) + ", " +
                to_text(at % mask.extent().cols) + "): wanted " + (plain[i] ? "visible" : "masked");
      }
    return wrong.empty();
  };
  if (!compare("cells", by_cells(mask))) return wrong;
  if (!compare("lanes", by_lanes(mask))) return wrong;
  if (!compare("rows", by_rows(mask, wrong))) return wrong;
  if (!compare("solved rows", by_conditions(mask))) return wrong;
  std::vector<Band> scratch;
  const Range rows{0, mask.extent().rows};
  if (!compare("bands", by_bands(mask.bands(rows, scratch), mask.extent(), wrong))) return wrong;
  if (tiles_lie(mask, plain)) return "a tile is not what it says";
  // Every masked cell is masked by some term, every visible one passes all.
  Cells passed(plain.size(), true);
  for (std::size_t term = 0; term < mask.terms().size(); ++term) {
    const Cells one = by_bands(mask.term_bands(term, rows, scratch), mask.extent(), wrong);
    for (std::size_t i = 0; i < one.size(); ++i) passed[i] = passed[i] && one[i];
  }
  compare("terms together", passed);
  return wrong;
}

}  // namespace vqscope::test
