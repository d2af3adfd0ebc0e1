// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/band_fractions.h"

#include <algorithm>

namespace vqscope {
namespace {

using Edges = std::span<const Index>;

Index tile_with(Edges edges, Index col) {
  return std::upper_bound(edges.begin(), edges.end(), col) - edges.begin() - 1;
}

Index first_edge_from(Edges edges, Index col) {
  return std::lower_bound(edges.begin(), edges.end(), col) - edges.begin();
}

/// The tiles in which a band has cells, and those among them that all of its rows see wholly.
struct TileSpan {
  Range touched;
  Range full;
};

TileSpan tile_span(const Band& band, Range rows, Edges edges) {
  const auto inside = [&](Index col) { return std::clamp(col, edges.front(), edges.back()); };
  const Index begin = inside(band.lo.at(rows.begin));
  const Index end = inside(band.hi.at(rows.end - 1));
  if (begin >= end) return {};
  const Range touched{tile_with(edges, begin), first_edge_from(edges, end)};
  const Index full_begin = inside(band.lo.at(rows.end - 1));
  const Index full_end = inside(band.hi.at(rows.begin));
  const Range none{touched.end, touched.end};
  if (full_begin >= full_end) return {touched, none};
  const Range full{first_edge_from(edges, full_begin), tile_with(edges, full_end)};
  return {touched, full.size() > 0 ? full : none};
}

}  // namespace

float visible_fraction(std::uint64_t seen, std::uint64_t cells) {
  if (seen == 0) return 0;
  if (seen == cells) return 1;
  constexpr float below_one = 0x1.fffffep-1F;
  return std::min(static_cast<float>(static_cast<double>(seen) / static_cast<double>(cells)), below_one);
}

BandFractions::BandFractions(Edges edges) : m_edges(edges), m_tiles(static_cast<Index>(edges.size()) - 1) {}

std::uint64_t BandFractions::width(Index x) const {
  const auto tile = static_cast<std::size_t>(x);
  return static_cast<std::uint64_t>(m_edges[tile + 1] - m_edges[tile]);
}

/// Calls store(x, cells) for each of the tiles with the band's cells in it.
template <class Store>
void BandFractions::count(const Band& band, Range rows, Range tiles, const Store& store) const {
  if (tiles.size() <= 0) return;
  const Index* edges = m_edges.data();
  std::uint64_t before = band.cells_before(rows, edges[tiles.begin]);
  for (Index x = tiles.begin; x < tiles.end; ++x) {
    const std::uint64_t next = band.cells_before(rows, edges[x + 1]);
    store(x, next - before);
    before = next;
  }
}

void BandFractions::fill_single(const Band& band, Range rows, float* out) const {
  const auto [touched, full] = tile_span(band, rows, m_edges);
  const auto height = static_cast<std::uint64_t>(rows.size());
  const auto store = [&](Index x, std::uint64_t cells) { out[x] = visible_fraction(cells, height * width(x)); };
  std::fill(out, out + touched.begin, 0.0F);
  count(band, rows, {touched.begin, full.begin}, store);
  std::fill(out + full.begin, out + full.end, 1.0F);
  count(band, rows, {full.end, touched.end}, store);
  std::fill(out + touched.end, out + m_tiles, 0.0F);
}

void BandFractions::add_band(const Band& band, Range rows) {
  const auto [touched, full] = tile_span(band, rows, m_edges);
  const auto height = static_cast<std::uint64_t>(rows.size());
  const auto store = [&](Index x, std::uint64_t cells) { m_cells[static_cast<std::size_t>(x)] += cells; };
  count(band, rows, {touched.begin, full.begin}, store);
  count(band, rows, {full.end, touched.end}, store);
  m_row_steps[static_cast<std::size_t>(full.begin)] += height;
  m_row_steps[static_cast<std::size_t>(full.end)] -= height;
}

void BandFractions::clear() {
  m_cells.assign(m_edges.size(), 0);
  m_row_steps.assign(m_edges.size(), 0);
}

void BandFractions::add(std::span<const Band> bands, Range piece) {
  for (const Band& band : bands) add_band(band, common(band.rows, piece));
}

void BandFractions::store(Range rows, float* out) const {
  const auto height = static_cast<std::uint64_t>(rows.size());
  const std::uint64_t* cells = m_cells.data();
  const std::uint64_t* row_steps = m_row_steps.data();
  std::uint64_t full_rows = 0;
  for (Index x = 0; x < m_tiles; ++x) {
    full_rows += row_steps[x];
    // Most tiles are no band's border.
    if (cells[x] == 0 && (full_rows == 0 || full_rows == height))
      out[x] = full_rows == 0 ? 0.0F : 1.0F;
    else
      out[x] = visible_fraction(cells[x] + full_rows * width(x), height * width(x));
  }
}

void BandFractions::store_counts(std::uint64_t* out) const {
  std::uint64_t full_rows = 0;
  for (Index x = 0; x < m_tiles; ++x) {
    full_rows += m_row_steps[static_cast<std::size_t>(x)];
    out[x] = m_cells[static_cast<std::size_t>(x)] + full_rows * width(x);
  }
}

void BandFractions::fill(std::span<const Band> bands, Range rows, float* out) {
  if (bands.size() == 1) return fill_single(bands.front(), rows, out);
  clear();
  add(bands, rows);
  store(rows, out);
}

}  // namespace vqscope
