// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/relative_summary.h"

#include "core/base/parallel.h"
#include "core/relative/segment_sums.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace vqscope {
namespace {

/// Sums are modular: only a tile's own sum must fit, not the prefix sums that it is the difference
/// of.
using Sum64 = std::uint64_t;
__extension__ using Sum128 = unsigned __int128;
__extension__ using Wide = __int128;

double as_double(Sum64 sum) { return static_cast<double>(static_cast<std::int64_t>(sum)); }
double as_double(Sum128 sum) { return static_cast<double>(static_cast<Wide>(sum)); }

struct TileSizes {
  double smallest = 0, largest = 0;
};

TileSizes tile_sizes(const TileGrid& grid) {
  const auto sides = [](const std::vector<Index>& edges) {
    Index least = edges[1] - edges[0];
    Index most = least;
    for (std::size_t i = 1; i + 1 < edges.size(); ++i) {
      least = std::min(least, edges[i + 1] - edges[i]);
      most = std::max(most, edges[i + 1] - edges[i]);
    }
    return std::pair{static_cast<double>(least), static_cast<double>(most)};
  };
  const auto [row_least, row_most] = sides(grid.row_edges);
  const auto [col_least, col_most] = sides(grid.col_edges);
  return {row_least * col_least, row_most * col_most};
}

/// Second prefix sums by corner, of f - centre in units of `unit`, and of how many cells have a
/// value.
template <class Sum>
struct Prefix {
  std::vector<Sum> values;
  std::vector<Sum64> counts;  ///< empty where every cell has one

  /// Per corner (values or counts): the tile's sum from its four.
  template <class Any>
  static Any tile(const std::vector<Any>& second, std::uint32_t top_left, std::uint32_t top_right,
                  std::uint32_t bottom_left, std::uint32_t bottom_right) {
    return (second[top_right] - second[bottom_right]) - (second[top_left] - second[bottom_left]);
  }
};

struct Extremes {
  float min = std::numeric_limits<float>::infinity();
  float max = -std::numeric_limits<float>::infinity();
};

Extremes both_extremes(const Extremes& a, const Extremes& b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

Extremes narrowed(std::pair<double, double> extremes) {
  return {static_cast<float>(extremes.first), static_cast<float>(extremes.second)};
}

class Summarizer {
 public:
  Summarizer(const RelativeMatrix& matrix, const TileGrid& grid, const SummaryOptions& options, Summary& out)
      : m_matrix(matrix),
        m_grid(grid),
        m_options(options),
        m_out(out),
        m_centre((matrix.bounds.first + matrix.bounds.second) / 2),
        m_reader(matrix.function, matrix.table, m_centre),
        m_corners(grid, matrix.past_len),
        m_gaps(matrix.function.has(PieceKind::none)) {
    const Index begin = grid.col_edges.front() + 1 - (matrix.past_len + grid.row_edges.back());
    const Index end = grid.col_edges.back() + 1 - (matrix.past_len + grid.row_edges.front());
    m_begins = m_corners.sorted_with(m_reader.borders(begin, end));
    if (options.extremes) find_extremes();
    if (options.mean) m_sums.resize(segments());
    if (options.mean) each_segment([&](std::size_t s) { m_sums[s] = m_reader.sums(m_begins[s], count(s)); });
  }

  void fill() {
    if (m_options.extremes) each_row([&](Index i) { extremes_row(i); });
    if (!m_options.mean) return;
    const TileSizes sizes = tile_sizes(m_grid);
    const double span = m_matrix.bounds.second - m_centre;
    const double half = span > 0 ? span : 1;
    // A tile's sum uses all the bits. With 64 the rounding of some numbers a corner still vanishes
    // in the smallest tile.
    if (sizes.largest < 0x1p26 * sizes.smallest)
      means<Sum64>(half * (sizes.largest * 0x1p-62));
    else
      means<Sum128>(half * (sizes.largest * 0x1p-92));
  }

 private:
  std::size_t segments() const { return m_begins.size() - 1; }
  Index count(std::size_t segment) const { return m_begins[segment + 1] - m_begins[segment]; }

  template <class Body>
  void each_segment(const Body& body) const {
    constexpr std::size_t some = 64;
    parallel_for(static_cast<Index>((segments() + some - 1) / some), m_options.threads, [&](Index b) {
      const std::size_t first = static_cast<std::size_t>(b) * some;
      for (std::size_t s = first; s < std::min(first + some, segments()) && !m_options.stop.stop_requested(); ++s)
        body(s);
    });
  }

  template <class Body>
  void each_row(const Body& body) const {
    constexpr Index band = 32;
    parallel_for((m_out.rows + band - 1) / band, m_options.threads, [&](Index b) {
      for (Index i = b * band; i < std::min(m_out.rows, (b + 1) * band) && !m_options.stop.stop_requested(); ++i)
        body(i);
    });
  }

  /// A tile between corners a and b has the relative positions from m_begins[a] up to the last but
  /// one before m_begins[b]: of each segment its last value stands apart.
  void find_extremes() {
    m_levels.assign(1, std::vector<Extremes>(2 * segments()));
    each_segment([&](std::size_t s) {
      m_levels[0][2 * s] = narrowed(m_reader.extremes(m_begins[s], count(s) - 1));
      m_levels[0][2 * s + 1] = narrowed(m_reader.extremes(m_begins[s + 1] - 1, 1));
    });
    std::uint32_t longest = 1;
    for (Index i = 0; i < m_out.rows; ++i)
      for (Index j = 0; j < m_out.cols; ++j)
        longest = std::max(longest, 2 * (m_corners.rank(i, j + 1) - m_corners.rank(i + 1, j)) - 1);
    for (std::size_t half = 1; 2 * half <= longest; half *= 2) {
      const auto& below = m_levels.back();
      std::vector<Extremes> level(below.size() - half);
      for (std::size_t s = 0; s < level.size(); ++s) level[s] = both_extremes(below[s], below[s + half]);
      m_levels.push_back(std::move(level));
    }
  }

  void extremes_row(Index i) {
    float* min = m_out.min.data() + i * m_out.cols;
    float* max = m_out.max.data() + i * m_out.cols;
    for (Index j = 0; j < m_out.cols; ++j) {
      const std::size_t first = 2 * std::size_t{m_corners.rank(i + 1, j)};
      const std::size_t values = 2 * std::size_t{m_corners.rank(i, j + 1)} - 1 - first;
      const auto k = static_cast<std::size_t>(std::bit_width(values)) - 1;
      const auto& level = m_levels[k];
      const Extremes found = both_extremes(level[first], level[first + values - (std::size_t{1} << k)]);
      const bool some = found.min <= found.max;
      min[j] = some ? found.min : std::numeric_limits<float>::quiet_NaN();
      max[j] = some ? found.max : std::numeric_limits<float>::quiet_NaN();
    }
  }

  /// F(x) = sum of f(d), d < x, and G(x) = sum of F(y), y < x, from the first corner on.
  template <class Sum>
  Prefix<Sum> prefix(double unit) const {
    const auto whole = [unit](double value) { return static_cast<Sum>(static_cast<Wide>(value / unit)); };
    Prefix<Sum> all;
    all.values.resize(m_begins.size());
    if (m_gaps) all.counts.resize(m_begins.size());
    Sum first = 0;
    Sum64 first_count = 0;
    for (std::size_t s = 0; s < segments(); ++s) {
      const auto n = static_cast<Sum64>(count(s));
      all.values[s + 1] = all.values[s] + first * static_cast<Sum>(n) + whole(m_sums[s].ramp);
      first += whole(m_sums[s].sum);
      if (!m_gaps) continue;
      const bool some = m_reader.has_values(m_begins[s]);
      const Sum64 triangle = n % 2 == 0 ? n / 2 * (n - 1) : n * ((n - 1) / 2);
      all.counts[s + 1] = all.counts[s] + first_count * n + (some ? triangle : 0);
      first_count += some ? n : 0;
    }
    return all;
  }

  template <class Sum>
  void means(double unit) {
    const Prefix<Sum> second = prefix<Sum>(unit);
    each_row([&](Index i) {
      const auto r = static_cast<std::size_t>(i);
      const double height = static_cast<double>(m_grid.row_edges[r + 1] - m_grid.row_edges[r]);
      float* mean = m_out.mean.data() + i * m_out.cols;
      std::uint32_t top = m_corners.rank(i, 0);
      std::uint32_t bottom = m_corners.rank(i + 1, 0);
      for (Index j = 0; j < m_out.cols; ++j) {
        const std::uint32_t next_top = m_corners.rank(i, j + 1);
        const std::uint32_t next_bottom = m_corners.rank(i + 1, j + 1);
        const auto c = static_cast<std::size_t>(j);
        const double cells =
            m_gaps ? static_cast<double>(Prefix<Sum>::tile(second.counts, top, next_top, bottom, next_bottom))
                   : height * static_cast<double>(m_grid.col_edges[c + 1] - m_grid.col_edges[c]);
        const double sum = as_double(Prefix<Sum>::tile(second.values, top, next_top, bottom, next_bottom)) * unit;
        mean[j] = static_cast<float>(m_centre + sum / cells);  // no cells: NaN
        top = next_top;
        bottom = next_bottom;
      }
    });
  }

  const RelativeMatrix& m_matrix;
  const TileGrid& m_grid;
  const SummaryOptions& m_options;
  Summary& m_out;
  double m_centre;
  SegmentReader m_reader;
  CornerSet m_corners;
  bool m_gaps;
  std::vector<Index> m_begins;  ///< corners and borders: between neighbours lie the segments
  std::vector<SegmentSums> m_sums;
  std::vector<std::vector<Extremes>> m_levels;  ///< level k: extremes of 2^k entries from each on
};

/// Numbers distinct values in the order of their coming; open addressing, at most half full.
class Numbering {
 public:
  explicit Numbering(std::vector<Index>& values) : m_values(values) { grow(); }

  std::uint32_t id_of(Index value) {
    std::size_t slot = slot_of(value);
    for (; m_slots[slot] != free; slot = (slot + 1) & m_mask)
      if (m_values[m_slots[slot]] == value) return m_slots[slot];
    m_slots[slot] = static_cast<std::uint32_t>(m_values.size());
    m_values.push_back(value);
    if (2 * m_values.size() > m_slots.size()) grow();
    return static_cast<std::uint32_t>(m_values.size()) - 1;
  }

 private:
  static constexpr std::uint32_t free = ~std::uint32_t{0};

  std::size_t slot_of(Index value) const {
    return static_cast<std::size_t>((static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15U) >> m_shift);
  }

  void grow() {
    const std::size_t size = m_slots.empty() ? 4096 : 2 * m_slots.size();
    m_slots.assign(size, free);
    m_mask = size - 1;
    m_shift = 64 - std::countr_zero(size);
    for (std::size_t id = 0; id < m_values.size(); ++id) {
      std::size_t slot = slot_of(m_values[id]);
      while (m_slots[slot] != free) slot = (slot + 1) & m_mask;
      m_slots[slot] = static_cast<std::uint32_t>(id);
    }
  }

  std::vector<Index>& m_values;
  std::vector<std::uint32_t> m_slots;
  std::size_t m_mask = 0;
  int m_shift = 0;
};

}  // namespace

Result<void> summarize_relative(const RelativeMatrix& matrix, const TileGrid& grid, const SummaryOptions& options,
                                Summary& out) {
  out.shape(grid, options);
  Summarizer summarizer(matrix, grid, options, out);
  if (!options.stop.stop_requested()) summarizer.fill();
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

CornerSet::CornerSet(const TileGrid& grid, Index past_len)
    : m_cols(static_cast<Index>(grid.col_edges.size())), m_ids(grid.row_edges.size() * grid.col_edges.size()) {
  Numbering numbering(m_values);
  auto* next = m_ids.data();
  for (const Index row : grid.row_edges)
    for (const Index col : grid.col_edges) *next++ = numbering.id_of(col + 1 - (past_len + row));
}

std::vector<Index> CornerSet::sorted_with(const std::vector<Index>& more) {
  std::vector<Index> sorted = m_values;
  sorted.insert(sorted.end(), more.begin(), more.end());
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  m_ranks.resize(m_values.size());
  for (std::size_t id = 0; id < m_values.size(); ++id)
    m_ranks[id] = static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, m_values[id]) - sorted.begin());
  return sorted;
}

}  // namespace vqscope
