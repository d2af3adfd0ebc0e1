// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/heads/attention_rows.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vqscope {
namespace {

constexpr Index most_key_numbers = Index{1} << 28;
constexpr Index most_heads = Index{1} << 16;
constexpr Index most_row_tokens = Index{1} << 24;

Range only(Index at) { return {at, at + 1}; }

/// Sample or head `at` of a tensor that may have one for all.
Index shared(Index at, Index count) { return count == 1 ? 0 : at; }

/// A column beside the keys, of a sink: the last where the first row, which sees one key, has weight
/// there; else the first.
Result<std::optional<Index>> sink_column(const LayerTensor& weights, std::optional<Index> keys) {
  const Index columns = weights.reading.extent[3];
  if (!keys || columns != *keys + 1) return std::optional<Index>();
  std::vector<float> row(static_cast<std::size_t>(columns));
  if (auto read = weights.read({only(0), only(0), only(0), Range{0, columns}}, row); !read) return read.error();
  return std::optional(row.back() > 0 ? columns - 1 : 0);
}

}  // namespace

Result<AttentionRows> AttentionRows::open(const Capture& capture, Index layer) {
  AttentionRows rows;
  const auto take = [&](TensorRole role, std::optional<LayerTensor>& into) -> Result<void> {
    auto tensor = open_tensor(capture, layer, role);
    if (!tensor) return tensor.error();
    into = std::move(*tensor);
    return {};
  };
  if (auto read = take(TensorRole::weights, rows.m_cells); !read) return read.error();
  rows.m_are_weights = rows.m_cells.has_value();
  rows.m_source = "weights";
  if (!rows.m_cells) {
    rows.m_source = "softmax of scores";
    if (auto read = take(TensorRole::scores, rows.m_cells); !read) return read.error();
  }
  if (rows.m_cells) {
    std::tie(rows.m_batch, rows.m_heads, rows.m_queries, rows.m_keys) = std::tuple_cat(rows.m_cells->reading.extent);
    if (rows.m_heads > most_heads || std::max(rows.m_queries, rows.m_keys) > most_row_tokens)
      return too_large("layer {} of {} has {} heads of {} queries and {} keys but must have at most {} of {}", layer,
                       capture.path, rows.m_heads, rows.m_queries, rows.m_keys, most_heads, most_row_tokens);
    if (!rows.m_are_weights) return rows;
    auto column = sink_column(*rows.m_cells, sizes_of(capture, layer).keys);
    if (!column) return column.error();
    rows.m_sink_column = *column;
    if (rows.m_sink_column) --rows.m_keys;
    return rows;
  }
  // A capture of the call of a kernel has q and k as they enter it.
  const bool rotated = capture.find(layer, TensorRole::q_rot) && capture.find(layer, TensorRole::k_rot);
  rows.m_source = rotated ? "softmax of q_rot · k_rot / √d" : "softmax of q · k / √d";
  for (const auto& [role, into] :
       {std::pair(rotated ? TensorRole::q_rot : TensorRole::q, &rows.m_q),
        std::pair(rotated ? TensorRole::k_rot : TensorRole::k, &rows.m_k), std::pair(TensorRole::mask, &rows.m_mask),
        std::pair(TensorRole::bias, &rows.m_bias)})
    if (auto read = take(role, *into); !read) return read.error();
  if (!rows.m_q || !rows.m_k)
    return invalid("layer {} of {} has no weights, no scores, and not both of q and k", layer, capture.path);
  const auto& q = rows.m_q->reading.extent;
  const auto& k = rows.m_k->reading.extent;
  if (q[3] != k[3] || k[1] < 1 || q[1] % k[1] != 0 || q[0] != k[0] || q[2] > k[2])
    return invalid("layer {} of {}: q and k do not go together", layer, capture.path);
  if (q[1] > most_heads || k[2] > most_row_tokens || k[3] > most_key_numbers / k[2])
    return too_large("layer {} of {}: {} heads, and {} keys of {} columns, are more than are read", layer, capture.path,
                     q[1], k[2], k[3]);
  rows.m_batch = q[0], rows.m_heads = q[1], rows.m_queries = q[2], rows.m_keys = k[2];
  return rows;
}

Result<void> AttentionRows::choose(Index batch, Index head) {
  m_sample = batch;
  m_head = head;
  if (!m_k) return {};
  const auto& k = m_k->reading.extent;
  const Index key_head = head / (m_heads / k[1]);
  m_key_rows.resize(static_cast<std::size_t>(k[2] * k[3]));
  return m_k->read({only(batch), only(key_head), Range{0, k[2]}, Range{0, k[3]}}, m_key_rows);
}

Result<void> AttentionRows::read(Index query, std::span<float> weights, double& beside) {
  beside = 0;
  if (!m_cells) {
    if (auto read = read_products(query, weights); !read) return read;
    softmax(weights);
    return {};
  }
  std::vector<float> row(weights.size() + (m_sink_column ? 1 : 0));
  const Range all{0, std::ssize(row)};
  if (auto read = m_cells->read({only(m_sample), only(m_head), only(query), all}, row); !read) return read;
  if (m_sink_column) {
    beside = row[static_cast<std::size_t>(*m_sink_column)];
    row.erase(row.begin() + *m_sink_column);
  }
  std::copy(row.begin(), row.end(), weights.begin());
  if (!m_are_weights) return softmax(weights), Result<void>();
  // A sink without a column is what is missing of 1.
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  if (!m_sink_column && sum > 0 && sum < 0.98) beside = 1 - sum;
  return {};
}

Result<void> AttentionRows::read_products(Index query, std::span<float> scores) {
  const Index dims = m_q->reading.extent[3];
  std::vector<float> q(static_cast<std::size_t>(dims));
  if (auto read = m_q->read({only(m_sample), only(m_head), only(query), Range{0, dims}}, q); !read) return read;
  const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(dims)));
  const Index own = query + m_keys - m_queries;
  for (Index key = 0; key < m_keys; ++key) {
    const float* row = &m_key_rows[static_cast<std::size_t>(key * dims)];
    const bool visible = m_mask || key <= own;
    scores[static_cast<std::size_t>(key)] =
        visible ? scale * std::inner_product(q.begin(), q.end(), row, 0.0F) : -std::numeric_limits<float>::infinity();
  }
  for (const auto& cells : {m_mask, m_bias})
    if (cells)
      if (auto added = add_cells(*cells, query, scores); !added) return added;
  return {};
}

Result<void> AttentionRows::add_cells(const LayerTensor& cells, Index query, std::span<float> scores) const {
  const auto& extent = cells.reading.extent;
  if (extent[2] != 1 && extent[2] < m_queries)
    return invalid("the mask has {} rows, the queries {}", extent[2], m_queries);
  if (extent[3] != m_keys) return invalid("the mask has {} columns, there are {} keys", extent[3], m_keys);
  std::vector<float> row(scores.size());
  if (auto read = cells.read({only(shared(m_sample, extent[0])), only(shared(m_head, extent[1])),
                              only(shared(query, extent[2])), Range{0, m_keys}},
                             row);
      !read)
    return read;
  const bool is_bool = cells.numbers.unit() == 0;
  for (std::size_t key = 0; key < row.size(); ++key) {
    if (!is_bool)
      scores[key] += row[key];
    else if (row[key] == 0)
      scores[key] = -std::numeric_limits<float>::infinity();
  }
  return {};
}

void AttentionRows::softmax(std::span<float> scores) const {
  const float most = *std::max_element(scores.begin(), scores.end());
  if (!(most > -std::numeric_limits<float>::infinity())) return std::fill(scores.begin(), scores.end(), 0.0F);
  float sum = 0;
  for (float& each : scores) sum += each = std::exp(each - most);
  for (float& each : scores) each /= sum;
}

}  // namespace vqscope
