// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/transformer_xl/xl_pair.h"

#include "core/base/sentence.h"

#include <algorithm>

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

}  // namespace vqscope
