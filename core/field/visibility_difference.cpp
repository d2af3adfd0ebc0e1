// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/visibility_difference.h"

#include "core/base/parallel.h"
#include "core/field/band_fractions.h"
#include "core/field/cell_summary.h"
#include "core/mask/common_bands.h"

namespace vqscope {
namespace {

constexpr Index chunk_rows = 4096;

/// Counts one row of tiles after another.
class DifferenceRows {
 public:
  DifferenceRows(const Mask& first, const Mask& second, const Lattice& lattice, const SummaryOptions& options)
      : m_masks{&first, &second},
        m_lattice(lattice),
        m_options(options),
        m_tiles(lattice.col_edges),
        m_counts(3, std::vector<std::uint64_t>(lattice.col_edges.size() - 1)) {}

  void fill(Index i, Summary& out) {
    const Range rows = m_lattice.tile(i, 0).rows;
    for (std::size_t part = 0; part < 3; ++part) count(part, rows);
    for (Index j = 0; j < out.cols; ++j) store(i, j, out);
  }

 private:
  /// Of the first mask, of the second, of both.
  void count(std::size_t part, Range rows) {
    m_tiles.clear();
    for (Index begin = rows.begin; begin < rows.end && !m_options.stop.stop_requested(); begin += chunk_rows) {
      const Range some{begin, std::min(rows.end, begin + chunk_rows)};
      if (part < 2)
        m_tiles.add(m_masks[part]->bands(some, m_scratch), some);
      else
        add_common(some);
    }
    m_tiles.store_counts(m_counts[part].data());
  }

  void add_common(Range rows) {
    common_bands(*m_masks[0], *m_masks[1], rows, m_scratch);
    for (const Band& band : m_scratch) m_tiles.add({&band, 1}, band.rows);
  }

  void store(Index i, Index j, Summary& out) const {
    const auto x = static_cast<std::size_t>(j);
    const auto at = static_cast<std::size_t>(i * out.cols + j);
    const std::uint64_t only_first = m_counts[0][x] - m_counts[2][x];
    const std::uint64_t only_second = m_counts[1][x] - m_counts[2][x];
    const std::uint64_t area = m_lattice.tile(i, j).area();
    const auto sum = static_cast<double>(static_cast<std::int64_t>(only_first - only_second));
    if (m_options.mean) out.mean[at] = static_cast<float>(sum / static_cast<double>(area));
    if (!m_options.extremes) return;
    out.min[at] = only_second > 0 ? -1.0F : only_first == area ? 1.0F : 0.0F;
    out.max[at] = only_first > 0 ? 1.0F : only_second == area ? -1.0F : 0.0F;
  }

  const Mask* m_masks[2];
  const Lattice& m_lattice;
  const SummaryOptions& m_options;
  BandFractions m_tiles;
  std::vector<Band> m_scratch;
  std::vector<std::vector<std::uint64_t>> m_counts;
};

}  // namespace

double VisibilityDifference::at(Index row, Index col) const {
  return (m_first->visible(row, col) ? 1 : 0) - (m_second->visible(row, col) ? 1 : 0);
}

Result<void> VisibilityDifference::summarize(const Lattice& lattice, const SummaryOptions& options,
                                             Summary& out) const {
  const bool bands = m_first->has_bands() && m_second->has_bands();
  if (!bands && lattice.bounds().rows.size() > options.max_cells)
    return summarize_cells(*this, MeanKind::arithmetic, lattice, options, out);
  out.shape(lattice, options);
  constexpr Index stretch = 16;  // rows of tiles a thread takes at a time
  parallel_for((out.rows + stretch - 1) / stretch, options.threads, [&](Index part) {
    DifferenceRows rows(*m_first, *m_second, lattice, options);
    for (Index i = part * stretch; i < std::min(out.rows, (part + 1) * stretch) && !options.stop.stop_requested(); ++i)
      rows.fill(i, out);
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

}  // namespace vqscope
