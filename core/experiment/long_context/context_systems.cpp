// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/context_systems.h"

#include "core/experiment/measure/vq_throughput.h"
#include "core/experiment/setting/vq_setting.h"
#include "core/sequence/xl_segments.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double bytes_of_float = 4;

double as_real(Index count) { return static_cast<double>(count); }

/// Operations for the scores of `keys` keys and the sum of their values.
double operations_of_keys(const ContextSizes& sizes, double keys) {
  return 2 * keys * (as_real(sizes.d_k) + as_real(sizes.d_v));
}

double bytes_of_keys(const ContextSizes& sizes, double keys) {
  return bytes_of_float * keys * (as_real(sizes.d_k) + as_real(sizes.d_v));
}

double counted(const std::vector<Range>& ranges) {
  double keys = 0;
  for (const Range& range : ranges) keys += as_real(range.size());
  return keys;
}

/// First token of the segment of the newest one.
Index segment_begin(const ContextSizes& sizes, Index tokens) {
  return (tokens - 1) / sizes.segment_len * sizes.segment_len;
}

XlSegments xl_of(const ContextSizes& sizes, Index tokens) {
  return {
      .length = tokens, .segment_len = sizes.segment_len, .memory_len = sizes.xl_memory_len, .layers = sizes.layers};
}

/// Each layer sees back to the first token of its oldest compressed key.
double compressive_reach(const ContextSizes& sizes, Index tokens) {
  Index first = tokens - 1;
  for (Index layer = 0; layer < sizes.layers && first > 0; ++layer) {
    const CompressiveView seen = compressive_view(sizes.compressive(), first);
    first = seen.groups.size() > 0 ? seen.groups.begin * sizes.compression_rate : seen.tokens.begin;
  }
  return as_real(tokens - first);
}

/// Reach through all layers; retrieval, clusters, matrices and codewords reach everything in one layer.
double reach_of(ContextSystem system, const ContextSizes& sizes, Index tokens) {
  const Index window = std::min(tokens, 1 + (sizes.window - 1) * sizes.layers);
  const Index begin = segment_begin(sizes, tokens);
  switch (system) {
    case ContextSystem::window: return as_real(window);
    case ContextSystem::sinks: return as_real(std::min(tokens, window + sizes.sinks));
    case ContextSystem::transformer_xl: return as_real(xl_of(sizes, tokens).reach(tokens - 1, sizes.layers).size());
    case ContextSystem::compressive: return compressive_reach(sizes, tokens);
    case ContextSystem::memorizing: return as_real(tokens - begin + std::min(begin, sizes.memory_len));
    case ContextSystem::full:
    case ContextSystem::clustered:
    case ContextSystem::infini_linear:
    case ContextSystem::infini_delta:
    case ContextSystem::vq: break;
  }
  return as_real(tokens);
}

/// Finds the key's code, scores all codes, sums the values of the newest blocks one by one and of
/// the codes.
double vq_operations(const ContextSizes& sizes, Index tokens) {
  const double codes = as_real(sizes.n_code), newest = as_real(std::min(tokens, sizes.block_len));
  return 4 * codes * as_real(sizes.d_k) + 2 * (newest + codes) * as_real(sizes.d_v);
}

/// One read for the query and one write of the key; with the delta rule also a read for the key.
double matrix_operations(const ContextSizes& sizes, InfiniRule rule) {
  const double pass = 2 * as_real(sizes.d_k) * (as_real(sizes.d_v) + 1);
  return rule == InfiniRule::linear ? 2 * pass : 3 * pass;
}

double vq_bytes(const ContextSizes& sizes, Index tokens) {
  VqSetting setting;
  setting.q_length = tokens;
  setting.block_len = sizes.block_len;
  setting.n_code = sizes.n_code;
  setting.d_k = sizes.d_k;
  setting.d_v = sizes.d_v;
  return vq_cache_bytes(setting);
}

}  // namespace

std::span<const ContextSystemInfo> context_system_infos() {
  static const std::vector<ContextSystemInfo> all{
      {ContextSystem::full, "full", "every key up to the query"},
      {ContextSystem::window, "window", "the newest window keys"},
      {ContextSystem::sinks, "sinks", "the same, and the first sinks keys"},
      {ContextSystem::transformer_xl, "transformer_xl", "the segment so far and the xl_memory_len keys before it"},
      {ContextSystem::compressive, "compressive",
       "the same, and before them compressed_len keys, each of compression_rate tokens"},
      {ContextSystem::memorizing, "memorizing", "the segment so far and the top_k best of memory_len keys before it"},
      {ContextSystem::clustered, "clustered", "the segment so far and the earlier keys of the query's cluster"},
      {ContextSystem::infini_linear, "infini_linear", "the segment so far and a memory matrix, linear rule"},
      {ContextSystem::infini_delta, "infini_delta", "the segment so far and a memory matrix, delta rule"},
      {ContextSystem::vq, "vq", "every key, replaced by the nearest of n_code codewords"}};
  return all;
}

std::optional<InfiniRule> infini_rule_of(ContextSystem system) {
  if (system == ContextSystem::infini_linear) return InfiniRule::linear;
  if (system == ContextSystem::infini_delta) return InfiniRule::delta;
  return std::nullopt;
}

bool has_size(ContextSystem system) { return system != ContextSystem::full && !infini_rule_of(system); }

ContextSizes scaled_memory(ContextSizes sizes, double factor) {
  for (Index* size :
       {&sizes.window, &sizes.xl_memory_len, &sizes.compressed_len, &sizes.memory_len, &sizes.n_cluster, &sizes.n_code})
    *size = std::max<Index>(1, static_cast<Index>(std::lround(factor * as_real(*size))));
  sizes.top_k = std::min(sizes.top_k, sizes.memory_len);
  return sizes;
}

std::vector<Range> seen_directly(ContextSystem system, const ContextSizes& sizes, Index tokens) {
  const Index window = std::max<Index>(0, tokens - sizes.window);
  switch (system) {
    case ContextSystem::full: return {{0, tokens}};
    case ContextSystem::window: return {{window, tokens}};
    case ContextSystem::sinks:
      if (window <= sizes.sinks) return {{0, tokens}};
      return {{0, sizes.sinks}, {window, tokens}};
    case ContextSystem::transformer_xl: return {xl_of(sizes, tokens).visible(tokens - 1)};
    case ContextSystem::compressive: return {compressive_view(sizes.compressive(), tokens - 1).tokens};
    case ContextSystem::memorizing:
    case ContextSystem::clustered:
    case ContextSystem::infini_linear:
    case ContextSystem::infini_delta: return {{segment_begin(sizes, tokens), tokens}};
    case ContextSystem::vq: break;
  }
  return {};
}

ContextCosts costs_of(ContextSystem system, const ContextSizes& sizes, Index tokens) {
  const double keys = counted(seen_directly(system, sizes, tokens));
  ContextCosts costs{.reach = reach_of(system, sizes, tokens),
                     .bytes = bytes_of_keys(sizes, keys),
                     .operations = operations_of_keys(sizes, keys)};
  const Index before = segment_begin(sizes, tokens);
  if (system == ContextSystem::compressive) {
    const double groups = as_real(compressive_view(sizes.compressive(), tokens - 1).groups.size());
    costs.bytes += bytes_of_keys(sizes, groups);
    costs.operations += operations_of_keys(sizes, groups);
  } else if (system == ContextSystem::clustered) {
    const double centroids = as_real(sizes.n_cluster), d_k = as_real(sizes.d_k);
    costs.bytes += bytes_of_keys(sizes, as_real(before)) + bytes_of_float * centroids * d_k;
    costs.operations += 4 * centroids * d_k + operations_of_keys(sizes, as_real(before) / centroids);
  } else if (system == ContextSystem::memorizing) {
    const Index kept = std::min(before, sizes.memory_len);
    costs.bytes += bytes_of_keys(sizes, as_real(kept));
    costs.operations +=
        2 * as_real(kept) * as_real(sizes.d_k) + 2 * as_real(std::min(kept, sizes.top_k)) * as_real(sizes.d_v);
  } else if (const auto rule = infini_rule_of(system)) {
    costs.bytes += bytes_of_float * as_real(sizes.d_k) * (as_real(sizes.d_v) + 1);
    costs.operations += matrix_operations(sizes, *rule);
  } else if (system == ContextSystem::vq) {
    costs.bytes = vq_bytes(sizes, tokens);
    costs.operations = vq_operations(sizes, tokens);
  }
  return costs;
}

}  // namespace vqscope
