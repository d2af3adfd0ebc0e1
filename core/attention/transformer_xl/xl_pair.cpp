// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/transformer_xl/xl_field.h"

#include "core/base/sentence.h"
#include "core/cells/band.h"

namespace vqscope {
namespace {

/// Number of hops of a long path that are named at each end.
constexpr std::size_t named_hops = 5;

std::string describe_hop(const XlHop& hop) {
  return hop.layer == 0 ? "input at " + grouped(hop.position)
                        : fmt::format("layer {} at {}", hop.layer, grouped(hop.position));
}

std::string counted_layers(Index layers) { return fmt::format("{} layer{}", layers, layers == 1 ? "" : "s"); }

std::string describe_gradient(const XlSegments& segments, const XlPair& pair) {
  return segments.learnt(pair.query).contains(pair.key)
             ? "gradient of the query's loss reaches the key"
             : "no gradient of the query's loss reaches the key: stop-gradient is in between";
}

std::string describe_unread(const XlSegments& segments, const XlPair& pair) {
  if (pair.key > pair.query)
    return fmt::format("query {} does not read key {}: the key comes later", grouped(pair.query), grouped(pair.key));
  const Index needed = segments.first_layer(pair.query, pair.key);
  return fmt::format(
      "query {} does not read key {}: {} {} back to {}; {}", grouped(pair.query), grouped(pair.key),
      counted_layers(segments.layers), segments.layers == 1 ? "reaches" : "reach",
      grouped(segments.reach(pair.query, segments.layers).begin),
      needed > 0 ? counted_layers(needed) + " would suffice" : std::string("no number of layers would suffice"));
}

bool is_read(const XlSegments& segments, const XlPair& pair) {
  const Index depth = segments.first_layer(pair.query, pair.key);
  return depth > 0 && depth <= segments.layers;
}

std::string seen_in_one_layer(const XlSegments& segments, const XlPair& pair) {
  if (!segments.sees(pair.query, pair.key)) return "no";
  return segments.segment_begin(pair.query) == segments.segment_begin(pair.key) ? "own segment" : "memory";
}

using ModularSum = std::uint64_t;

/// a / b rounded down, for b above 0.
Index quotient_below(Index a, Index b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }
Index quotient_above(Index a, Index b) { return -quotient_below(-a, b); }

/// Sum of the numbers in a range; one factor is halved before the product, so that it is exact
/// modulo 2^64.
ModularSum sum_of(Range numbers) {
  auto count = static_cast<ModularSum>(numbers.size());
  auto ends = static_cast<ModularSum>(numbers.begin + numbers.end - 1);
  (count % 2 == 0 ? count : ends) /= 2;
  return count * ends;
}

}  // namespace

std::string describe_path(const std::vector<XlHop>& path) {
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool long_path = path.size() > 2 * named_hops + 1;
    if (long_path && i == named_hops) {
      text += fmt::format(" → {} more", path.size() - 2 * named_hops);
      i = path.size() - named_hops;
    }
    text += (text.empty() ? "" : " → ") + describe_hop(path[i]);
  }
  return text;
}

std::string describe_pair(const XlSegments& segments, const XlPair& pair) {
  if (!is_read(segments, pair)) return describe_unread(segments, pair);
  const auto path = segments.path(pair.query, pair.key);
  return fmt::format("query {} reads key {}, {} tokens back, from layer {} of {} on: {}; {}", grouped(pair.query),
                     grouped(pair.key), grouped(pair.query - pair.key), path.front().layer, segments.layers,
                     describe_path(path), describe_gradient(segments, pair));
}

CellReport report_pair(const XlSegments& segments, const XlPair& pair) {
  const Index distance = pair.query - pair.key;
  CellReport report;
  report.facts = {{"query", grouped(pair.query)},
                  {"key", grouped(pair.key)},
                  {"distance", grouped(distance)},
                  {"query segment", grouped(pair.query / segments.segment_len)},
                  {"key segment", grouped(pair.key / segments.segment_len)},
                  {"seen in one layer", seen_in_one_layer(segments, pair)}};
  if (segments.clamp_len > 0 && segments.sees(pair.query, pair.key))
    report.facts.emplace_back("encoded distance", grouped(std::min(distance, segments.clamp_len)));
  if (is_read(segments, pair)) {
    report.facts.emplace_back("read from layer", to_text(segments.first_layer(pair.query, pair.key)));
    report.facts.emplace_back("learnt from", segments.learnt(pair.query).contains(pair.key) ? "yes" : "no");
  }
  report.why = describe_pair(segments, pair);
  return report;
}

ModularSum XlBoundary::sum_in_segment(Range rows, Range cols) const {
  const Index still = std::max<Index>(rows.begin / segment_len * segment_len - before_segment, 0);
  return sum_below({-before_row, std::clamp(still, cols.begin, cols.end), cols.end}, rows, cols.end);
}

ModularSum XlBoundary::sum_of_segments(Range segments, Range cols) const {
  if (segments.size() <= 0) return 0;
  // In every segment, the boundary relative to the segment's first token is in [least, most].
  const Index least = std::max(-before_segment, -before_row);
  const Index most = std::max(-before_segment, segment_len - 1 - before_row);
  const auto within = [&](Index segment) { return std::clamp(segment, segments.begin, segments.end); };
  const Index left_end = within(quotient_below(cols.begin - most, segment_len) + 1);
  const Index right_begin = std::max(left_end, within(quotient_above(cols.end - least, segment_len)));
  const Index inside_begin = std::clamp(quotient_above(cols.begin - least, segment_len), left_end, right_begin);
  const Index inside_end = std::clamp(quotient_below(cols.end - most, segment_len) + 1, inside_begin, right_begin);

  const auto whole = static_cast<ModularSum>(segment_len);
  ModularSum sum = whole * static_cast<ModularSum>(left_end - segments.begin) * static_cast<ModularSum>(cols.begin) +
                   whole * static_cast<ModularSum>(segments.end - right_begin) * static_cast<ModularSum>(cols.end);
  const Range inside{inside_begin, inside_end};
  if (inside.size() > 0)
    sum += whole * whole * sum_of(inside) +
           static_cast<ModularSum>(inside.size()) *
               sum_below({-before_row, -before_segment, Ramp::far}, {0, segment_len}, Ramp::far);
  // On either side, the boundary crosses an edge of `cols` in at most two segments.
  for (const auto [begin, end] : {Range{left_end, inside_begin}, Range{inside_end, right_begin}})
    for (Index segment = begin; segment < end; ++segment)
      sum += sum_in_segment({segment * segment_len, (segment + 1) * segment_len}, cols);
  return sum;
}

ModularSum XlBoundary::cells_from(const Rect& cells) const {
  const auto all = static_cast<ModularSum>(cells.rows.size()) * static_cast<ModularSum>(cells.cols.end);
  const Index first = cells.rows.begin / segment_len;
  const Index last = (cells.rows.end - 1) / segment_len;
  if (before_segment >= never || first == last) return all - sum_in_segment(cells.rows, cells.cols);
  const Range head{cells.rows.begin, (first + 1) * segment_len};
  const Range tail{last * segment_len, cells.rows.end};
  return all - sum_in_segment(head, cells.cols) - sum_of_segments({first + 1, last}, cells.cols) -
         sum_in_segment(tail, cells.cols);
}

}  // namespace vqscope
