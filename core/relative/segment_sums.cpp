// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/segment_sums.h"

#include "core/base/parallel.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

/// Rounded towards minus infinity.
Index chunk_of(Index argument) {
  return argument >= 0 ? argument / DistanceTable::chunk : -((-argument - 1) / DistanceTable::chunk) - 1;
}

constexpr Index near_zero = 512;  // nearer to 0 smooth functions bend too much for quadrature
constexpr Index few = 24;         // segments so short are read

/// Gauss and Legendre's points and weights on [-1, 1], of the positive side.
struct Node {
  double at, weight;
};
constexpr std::array<Node, 5> nodes{{{0.1488743389816312, 0.2955242247147529},
                                     {0.4333953941292472, 0.2692667193099963},
                                     {0.6794095682990244, 0.2190863625159820},
                                     {0.8650633666889845, 0.1494513491505806},
                                     {0.9739065285171717, 0.0666713443086881}}};

SegmentSums sums_of(std::span<const double> values, double centre) {
  const Eigen::Map<const Eigen::ArrayXd> all(values.data(), static_cast<Eigen::Index>(values.size()));
  const double count = static_cast<double>(values.size());
  const double sum = (all - centre).sum();
  return {sum, ((all - centre) * Eigen::ArrayXd::LinSpaced(all.size(), count - 1, 0)).sum()};
}

/// Euler and Maclaurin: a sum over whole numbers is the integral from half a step before the first
/// to half a step after the last, less 1/24 of what the slope gains; what follows is below 1e-9
/// from near_zero on. The function is analytic within |x| of each x, and the segment is no longer
/// than that, so ten points suffice for the integral.
SegmentSums quadrature(const RelativePiece& piece, Index first, Index count, double centre) {
  const double begin = static_cast<double>(first) - 0.5;
  const double n = static_cast<double>(count);
  const auto f = [&](double x) { return piece.at(x) - centre; };
  double sum = 0;
  double moment = 0;  // of t · f, t from the segment's middle in halves of it
  for (const auto& node : nodes) {
    const double low = node.weight * f(begin + n / 2 * (1 - node.at));
    const double high = node.weight * f(begin + n / 2 * (1 + node.at));
    sum += low + high;
    moment += node.at * (high - low);
  }
  const auto slope = [&](double x) { return f(x + 0.5) - f(x - 0.5); };
  const double first_slope = slope(begin);
  const double last_slope = slope(begin + n);
  sum = n / 2 * sum;
  // After the value at x come n - 1/2 - (x - begin) values, n/2 - 1/2 at the middle.
  const double ramp = (n - 1) / 2 * sum - n / 2 * (n / 2) * moment;
  const double gain = last_slope - first_slope;
  // g(x) = (n - 1/2 - (x - begin)) f(x): its slope is weight · f' - f.
  const double ramp_gain = (-0.5 * last_slope - f(begin + n)) - ((n - 0.5) * first_slope - f(begin));
  return {sum - gain / 24, ramp - ramp_gain / 24};
}

SegmentSums constant_sums(double value, double count) { return {value * count, value * count * (count - 1) / 2}; }

/// In terms of |d|, and whether it runs backwards there.
struct Mirrored {
  Range arguments;
  bool backwards = false;

  Mirrored(const RelativeFunction& f, Index first, Index count) : arguments{first, first + count} {
    if (!f.even || first >= 0) return;
    arguments = {1 - first - count, 1 - first};
    backwards = true;
  }
};

/// Breaks of a smooth piece, or of a table, within a span of arguments.
void append_breaks(std::vector<Index>& all, PieceKind kind, Range span) {
  if (kind == PieceKind::smooth) {
    all.push_back(0);
    for (Index x = near_zero; x < std::max(std::abs(span.begin), std::abs(span.end)); x *= 2)
      all.insert(all.end(), {x, -x + 1});
  }
  if (kind != PieceKind::rough) return;
  constexpr Index chunk = DistanceTable::chunk;
  for (Index x = span.begin - (span.begin % chunk + chunk) % chunk; x < span.end; x += chunk) all.push_back(x);
}

}  // namespace

DistanceTable::DistanceTable(RelativeFunction function, Range range)
    : m_function(std::move(function)), m_range(range), m_first(chunk_of(range.begin)) {
  assert(range.size() > 0);
  m_chunks = std::make_unique<Chunk[]>(static_cast<std::size_t>(chunk_of(range.end - 1) - m_first + 1));
}

DistanceTable::Chunk& DistanceTable::computed(Index index) const {
  Chunk& wanted = m_chunks[static_cast<std::size_t>(index - m_first)];
  std::call_once(wanted.once, [&] {
    wanted.values.resize(static_cast<std::size_t>(chunk));
    m_function.fill(index * chunk, wanted.values);
  });
  return wanted;
}

void DistanceTable::compute(Range range, int threads, const std::stop_token& stop) const {
  if (range.size() <= 0) return;
  assert(range.begin >= m_range.begin && range.end <= m_range.end);
  const Index first = chunk_of(range.begin);
  parallel_for(chunk_of(range.end - 1) - first + 1, threads, [&](Index i) {
    if (!stop.stop_requested()) computed(first + i);
  });
}

std::span<const double> DistanceTable::values(Range range) const {
  const Index index = chunk_of(range.begin);
  assert(range.size() <= 0 || chunk_of(range.end - 1) == index);
  return std::span<const double>(computed(index).values)
      .subspan(static_cast<std::size_t>(range.begin - index * chunk), static_cast<std::size_t>(range.size()));
}

std::vector<Index> SegmentReader::borders(Index begin, Index end) const {
  const auto& pieces = m_function.pieces;
  const Index reach = std::max(std::abs(begin), std::abs(end));
  const Range arguments = m_function.even ? Range{0, reach + 1} : Range{begin, end};
  std::vector<Index> all;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Index last = i + 1 < pieces.size() ? pieces[i + 1].begin : arguments.end;
    const Range span = common(arguments, {i == 0 ? arguments.begin : pieces[i].begin, last});
    if (i > 0) all.push_back(pieces[i].begin);
    if (span.size() > 0) append_breaks(all, pieces[i].kind, span);
  }
  if (m_function.even) {
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i) all.push_back(1 - all[i]);
    all.push_back(0);
  }
  std::erase_if(all, [&](Index x) { return x <= begin || x >= end; });
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

SegmentSums SegmentReader::sums(Index first, Index count) const {
  const Mirrored at(m_function, first, count);
  const RelativePiece& piece = m_function.piece_of(at.arguments.begin);
  SegmentSums all;
  if (piece.kind == PieceKind::constant) {
    all = constant_sums(piece.at(0) - m_centre, static_cast<double>(count));
  } else if (piece.kind == PieceKind::rough) {
    all = sums_of(m_table->values(at.arguments), m_centre);
  } else if (piece.kind == PieceKind::smooth) {
    const Index nearest = std::min(std::abs(at.arguments.begin), std::abs(at.arguments.end - 1));
    if (count > few && nearest >= near_zero) {
      all = quadrature(piece, at.arguments.begin, count, m_centre);
    } else {
      for (Index i = 0; i < count; ++i) {
        const double value = piece.at(static_cast<double>(at.arguments.begin + i)) - m_centre;
        all.sum += value;
        all.ramp += value * static_cast<double>(count - 1 - i);
      }
    }
  }
  if (at.backwards) all.ramp = static_cast<double>(count - 1) * all.sum - all.ramp;
  return all;
}

std::pair<double, double> SegmentReader::extremes(Index first, Index count) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Mirrored at(m_function, first, count);
  const RelativePiece& piece = m_function.piece_of(at.arguments.begin);
  if (count <= 0 || piece.kind == PieceKind::none) return {infinity, -infinity};
  if (piece.kind != PieceKind::rough) {
    const auto value = [&](Index argument) { return piece.at(static_cast<double>(argument)); };
    return std::minmax({value(at.arguments.begin), value(at.arguments.end - 1)});
  }
  const auto values = m_table->values(at.arguments);
  const Eigen::Map<const Eigen::ArrayXd> all(values.data(), static_cast<Eigen::Index>(values.size()));
  return {all.minCoeff(), all.maxCoeff()};
}

}  // namespace vqscope
