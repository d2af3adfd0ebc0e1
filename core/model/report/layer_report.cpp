// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/report/model_report.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

template <class Real>
class LayerReport {
 public:
  LayerReport(const LayerReportShape& shape, const TransformerPass<Real>& pass, Index layer,
              std::vector<NamedTensor>& out)
      : m_shape(shape), m_config(shape.config), m_pass(pass), m_layer(layer), m_out(out) {}

  void append() {
    if (!m_config.in_segments()) add_weights("", {0, m_shape.length}, {0, m_shape.length});
    for (Index begin = 0; begin < m_shape.length && m_config.in_segments(); begin += m_config.segment) {
      const Range queries{begin, std::min(m_shape.length, begin + m_config.segment)};
      const std::string suffix = fmt::format(".segment{}", begin / m_config.segment);
      const Index memory = m_config.attn == AttentionKind::xl ? std::min(begin, m_config.memory) : 0;
      add_weights(suffix, queries, {begin - memory, queries.end});
      if (m_config.attn == AttentionKind::memorizing && m_config.recalls(m_layer)) add_retrieved(suffix, queries);
    }
    if (m_config.compresses()) add_memory();
    if (m_config.quantises()) add_codes();
  }

 private:
  template <class Number>
  void add(const char* name, const std::string& suffix, std::vector<Index> shape, std::vector<Number> values) {
    m_out.push_back({fmt::format("{}.layer{}{}", name, m_layer, suffix), std::move(shape), std::move(values)});
  }

  void add_weights(const std::string& suffix, Range queries, Range keys) {
    std::vector<double> weights;
    for (Index row = 0; row < m_shape.reported; ++row)
      for (Index head = 0; head < m_config.n_heads; ++head)
        for (Index query = queries.begin; query < queries.end; ++query) {
          const auto p = m_pass.weights(m_layer, row, head, query);
          weights.insert(weights.end(), p.begin() + keys.begin, p.begin() + keys.end);
        }
    add("attn", suffix, {m_shape.reported, m_config.n_heads, queries.size(), keys.size()}, std::move(weights));
  }

  void add_retrieved(const std::string& suffix, Range queries) {
    const RetrievalShape shape = retrieval_shape(m_config, m_shape.length);
    const Range stored = shape.stored(queries.begin);
    if (stored.size() == 0) return;
    std::vector<std::int32_t> places;
    std::vector<double> weights;
    for (Index row = 0; row < m_shape.rows; ++row)
      for (Index head = 0; head < m_config.n_heads; ++head)
        for (Index query = queries.begin; query < queries.end; ++query)
          for (Index i = 0; i < m_config.top_k; ++i) {
            const auto at = static_cast<std::size_t>(shape.place(head, query) + i);
            const bool there = i < shape.retrieved(query);
            places.push_back(there ? m_pass.retrieved(m_layer, row)[at] - static_cast<std::int32_t>(stored.begin) : -1);
            if (row < m_shape.reported)
              weights.push_back(there ? static_cast<double>(m_pass.retrieved_weights(m_layer, row)[at]) : 0);
          }
    const auto size = [&](Index rows) {
      return std::vector<Index>{rows, m_config.n_heads, queries.size(), m_config.top_k};
    };
    add("knn_index", suffix, size(m_shape.rows), std::move(places));
    add("knn_attn", suffix, size(m_shape.reported), std::move(weights));
  }

  void add_memory() {
    const CompressiveShape shape = compressive_shape(m_config, m_shape.length);
    std::vector<double> matrices, sums;
    for (Index row = 0; row < m_shape.rows; ++row)
      for (Index head = 0; head < m_config.n_kv_heads; ++head) {
        const auto state = m_pass.memory_state(m_layer, row, head, shape.segments());
        matrices.insert(matrices.end(), state.begin(), state.begin() + shape.matrix_size());
        sums.insert(sums.end(), state.begin() + shape.matrix_size(), state.end());
      }
    add("memory", "", {m_shape.rows, m_config.n_kv_heads, m_config.head_dim, m_config.value_dim()},
        std::move(matrices));
    add("memory_z", "", {m_shape.rows, m_config.n_kv_heads, m_config.head_dim}, std::move(sums));
  }

  void add_codes() {
    std::vector<std::int32_t> codes;
    for (Index row = 0; row < m_shape.rows; ++row) {
      const auto of_row = m_pass.codes(m_layer, row);
      codes.insert(codes.end(), of_row.begin(), of_row.end());
    }
    add("codes", "", {m_shape.rows, m_config.n_kv_heads, m_shape.length}, std::move(codes));
  }

  const LayerReportShape& m_shape;
  const TransformerConfig& m_config;
  const TransformerPass<Real>& m_pass;
  Index m_layer;
  std::vector<NamedTensor>& m_out;
};

struct Number {
  std::string name;
  double* real = nullptr;
  Index* whole = nullptr;
  double least = 0;
  double most = 1;
};

std::vector<Number> numbers_of(OptimiserOptions& options) {
  auto& [adamw, rate] = options;
  return {{.name = "lr_max", .real = &rate.lr_max, .most = 1e6},
          {.name = "lr_min_ratio", .real = &rate.lr_min_ratio},
          {.name = "warmup_steps", .whole = &rate.warmup_steps, .most = 1e9},
          {.name = "total_steps", .whole = &rate.total_steps, .most = 1e9},
          {.name = "beta1", .real = &adamw.beta1, .most = 0.999999999},
          {.name = "beta2", .real = &adamw.beta2, .most = 0.999999999},
          {.name = "eps", .real = &adamw.eps},
          {.name = "weight_decay", .real = &adamw.weight_decay, .most = 1e6},
          {.name = "clip", .real = &adamw.clip, .most = 1e300}};
}

Result<void> read_number(const ConfigValue& value, const Number& number) {
  const auto given = value.number();
  const bool fits = given && *given >= number.least && *given <= number.most;
  if (!fits || (number.whole && !value.integer()))
    return invalid("config key optimizer.{} is {} but must be a {} from {} to {}", value.key, value.shown(),
                   number.whole ? "whole number" : "number", plain_text(number.least), plain_text(number.most));
  if (number.whole)
    *number.whole = static_cast<Index>(*given);
  else
    *number.real = *given;
  return {};
}

}  // namespace

template <class Real>
void append_layer(const LayerReportShape& shape, const TransformerPass<Real>& pass, Index layer,
                  std::vector<NamedTensor>& out) {
  LayerReport<Real>(shape, pass, layer, out).append();
}

template void append_layer(const LayerReportShape&, const TransformerPass<float>&, Index, std::vector<NamedTensor>&);
template void append_layer(const LayerReportShape&, const TransformerPass<double>&, Index, std::vector<NamedTensor>&);

Result<OptimiserOptions> read_optimiser(const ConfigValue& json) {
  OptimiserOptions options;
  if (!json.object()) return invalid("config key optimizer is {} but must be an object", json.shown());
  const auto numbers = numbers_of(options);
  std::vector<std::string> names;
  for (const Number& number : numbers) names.push_back(number.name);
  for (const ConfigValue& member : json.object()->members) {
    if (member.key == "decay_rule") continue;
    const auto known = std::ranges::find(numbers, member.key, &Number::name);
    if (known == numbers.end())
      return invalid("unknown config key optimizer.{}{}", shortened(member.key), did_you_mean(member.key, names));
    if (auto read = read_number(member, *known); !read) return read.error();
  }
  return options;
}

}  // namespace vqscope
