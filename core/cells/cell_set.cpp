// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/cell_set.h"

#include "core/cells/ranges.h"

namespace vqscope {

std::size_t Strips::Iterator::strip_size(Bands bands) {
  const auto in_strip = [&](const Band& band) { return band.rows.begin == bands.front().rows.begin; };
  std::size_t size = 1;
  while (size < bands.size() && in_strip(bands[size])) {
    const std::size_t more = std::min(2 * size, bands.size());
    if (!in_strip(bands[more - 1])) {
      const auto some = bands.subspan(size, more - size);
      return size + static_cast<std::size_t>(std::ranges::partition_point(some, in_strip) - some.begin());
    }
    size = more;
  }
  return size;
}

std::optional<Ramp> straight(const Ramp& ramp, Range rows) {
  const Index first = ramp.at(rows.begin);
  const Index last = ramp.at(rows.end - 1);
  if (first == last) return Ramp::constant(first);
  if (last - first == rows.size() - 1) return Ramp::moving(first - rows.begin);
  return std::nullopt;
}

CellSet::CellSet(Bands bands) {
  for (const Band& band : bands) append(band);
}

CellSet CellSet::whole(Range rows, Range cols) {
  CellSet set;
  set.append(Band::whole(rows, cols));
  return set;
}

void CellSet::append(const Band& band) {
  if (band.rows.size() <= 0 || band.cells() == 0) return;
  if (m_bands.empty() || m_bands.back().rows != band.rows) {
    assert(m_bands.empty() || m_bands.back().rows.end <= band.rows.begin);
    m_last = m_bands.size();
  } else {
    assert(m_bands.back().hi.at(band.rows.begin) <= band.lo.at(band.rows.begin));
    assert(m_bands.back().hi.at(band.rows.end - 1) <= band.lo.at(band.rows.end - 1));
  }
  const auto lo = straight(band.lo, band.rows);
  const auto hi = straight(band.hi, band.rows);
  m_bands.push_back({band.rows, lo.value_or(band.lo), hi.value_or(band.hi)});
  m_straight = m_straight && lo && hi;
}

void CellSet::append(Range rows, Bands columns) {
  if (columns.empty() || rows.size() <= 0) return;
  const std::size_t first = m_bands.size();
  if (rows.size() > 1) {
    for (const Band& each : columns) m_bands.push_back({rows, each.lo, each.hi});
  } else {
    // A single row has ends that stand, so that equal ends look alike.
    for (const Band& each : columns)
      if (const Range seen = each.row(rows.begin); seen.size() > 0) m_bands.push_back(Band::whole(rows, seen));
  }
  if (m_bands.size() > first && !continues_last(rows, first)) m_last = first;
}

bool CellSet::continues_last(Range rows, std::size_t first) {
  if (first == 0 || m_bands[m_last].rows.end != rows.begin || first - m_last != m_bands.size() - first) return false;
  const auto last = m_bands.begin() + static_cast<std::ptrdiff_t>(m_last);
  const auto added = m_bands.begin() + static_cast<std::ptrdiff_t>(first);
  const auto alike = [](const Band& a, const Band& b) { return a.lo == b.lo && a.hi == b.hi; };
  if (!std::equal(last, added, added, alike)) return false;
  std::for_each(last, added, [&](Band& band) { band.rows.end = rows.end; });
  m_bands.erase(added, m_bands.end());
  return true;
}

void CellSet::append(const CellSet& below) {
  for (const Band& band : below.m_bands) append(band);
}

Range CellSet::columns() const {
  Range all;
  for (const Strip& strip : strips()) {
    const Range some = hull(strip.rows, strip.columns);
    all = all.size() == 0 ? some : Range{std::min(all.begin, some.begin), std::max(all.end, some.end)};
  }
  return all;
}

CellSet CellSet::clipped(const Rect& to) const {
  CellSet set;
  for (const Band& band : bands_in(m_bands, to.rows))
    set.append({common(band.rows, to.rows), band.lo.within(to.cols), band.hi.within(to.cols)});
  return set;
}

std::optional<std::pair<Index, Index>> CellSet::first_cell() const {
  std::optional<std::pair<Index, Index>> first;
  for (const Band& band : is_empty() ? Bands() : Strips(m_bands).begin()->columns) {
    Range rows = band.rows;
    while (rows.size() > 1) {
      const Index middle = rows.begin + rows.size() / 2;
      (band.cells_before({rows.begin, middle}, Ramp::far) > 0 ? rows.end : rows.begin) = middle;
    }
    // Bands of equal rows are sorted from left to right.
    if (!first || rows.begin < first->first) first = {rows.begin, band.lo.at(rows.begin)};
  }
  return first;
}

namespace {

/// The band with ends that are limited to what they come to.
Band limited(const Band& band) {
  const auto limit = [&](const Ramp& r) { return r.within({r.at(band.rows.begin), r.at(band.rows.end - 1)}); };
  return {band.rows, limit(band.lo), limit(band.hi)};
}

}  // namespace

std::vector<Band> CellSet::covering(Range rows) && {
  Index next = rows.begin;
  for (const Band& band : m_bands) {
    if (next < band.rows.begin) return std::as_const(*this).covering(rows);
    next = band.rows.end;
  }
  for (Band& band : m_bands) band = limited(band);
  if (next < rows.end) m_bands.push_back(Band::whole({next, rows.end}, {}));
  return std::move(m_bands);
}

std::vector<Band> CellSet::covering(Range rows) const& {
  std::size_t gaps = 1;
  for (std::size_t i = 1; i < m_bands.size(); ++i) gaps += m_bands[i - 1].rows.end < m_bands[i].rows.begin ? 1 : 0;
  std::vector<Band> all;
  all.reserve(m_bands.size() + gaps + 1);
  Index next = rows.begin;
  const auto fill_up_to = [&](Index row) {
    if (next < row) all.push_back(Band::whole({next, row}, {}));
  };
  for (const Band& band : m_bands) {
    fill_up_to(band.rows.begin);
    all.push_back(limited(band));
    next = band.rows.end;
  }
  fill_up_to(rows.end);
  return all;
}

void row_of(Bands bands, Index q, std::vector<Range>& out) {
  out.clear();
  for (const Band& band : bands_in(bands, {q, q + 1})) append_range(band.row(q), out);
}

}  // namespace vqscope
