// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/vq_keys.h"

#include "core/mask/language/plain_mask.h"
#include "core/model/kernels/layer_kernels.h"

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

constexpr double least_count = 0.01;

/// Codewords [n_code, head_dim] as columns. The last ones, which fill a cache line, are infinitely far
/// from every key.
template <class Real>
class CodewordColumns {
 public:
  CodewordColumns(const VqShape& shape, const Real* codewords)
      : m_width(shape.head_dim),
        m_count((shape.n_code + lane_count<Real> - 1) / lane_count<Real> * lane_count<Real>),
        m_columns(static_cast<std::size_t>(m_width * m_count), std::numeric_limits<Real>::infinity()) {
    for (Index s = 0; s < shape.n_code; ++s)
      for (Index i = 0; i < m_width; ++i)
        m_columns[static_cast<std::size_t>(i * m_count + s)] = codewords[s * m_width + i];
  }

  NearestColumn<Real> nearest(const Real* key) const {
    return best_layer_kernels<Real>().nearest(key, m_width, m_columns.data(), m_count);
  }

 private:
  Index m_width;
  Index m_count;
  std::vector<Real> m_columns;
};

/// First of the keys [begin, query] that are near enough.
Index first_key(const TransformerConfig& config, Index query) {
  if (config.attn == AttentionKind::window) return std::max<Index>(0, query + 1 - config.window);
  if (config.quantises() && !config.cache) return std::max<Index>(0, query - config.block_len);
  if (config.attn != AttentionKind::xl) return config.segment_begin(query);
  const Index latest = config.same_length ? query + 1 - config.memory : 0;
  return std::max<Index>({0, latest, config.segment_begin(query) - config.memory});
}

/// Whether tokens of one row attend to each other.
class Belonging {
 public:
  Belonging(const Batch& batch, Index row)
      : m_docs(batch.rows_of(batch.doc_ids, {row, row + 1})), m_valid(batch.rows_of(batch.pad_mask, {row, row + 1})) {}

  bool attends(Index query, Index key) const {
    const auto q = static_cast<std::size_t>(query), k = static_cast<std::size_t>(key);
    if (!m_valid.empty() && (m_valid[q] == 0 || m_valid[k] == 0)) return false;
    return m_docs.empty() || m_docs[q] == m_docs[k];
  }

 private:
  std::span<const std::int32_t> m_docs;
  std::span<const std::int32_t> m_valid;
};

}  // namespace

template <class Real>
double quantise_keys(const VqShape& shape, const Real* k, const Real* codebook, std::int32_t* codes, Real* quantised) {
  double sum = 0;
  for (Index head = 0; head < shape.heads; ++head) {
    const Real* codewords = codebook + head * shape.n_code * shape.head_dim;
    const CodewordColumns<Real> columns(shape, codewords);
    for (Index t = 0; t < shape.length; ++t) {
      const Index at = t * shape.width() + head * shape.head_dim;
      const auto nearest = columns.nearest(k + at);
      codes[head * shape.length + t] = static_cast<std::int32_t>(nearest.index);
      std::copy_n(codewords + nearest.index * shape.head_dim, shape.head_dim, quantised + at);
      sum += static_cast<double>(nearest.squared_distance);
    }
  }
  return sum;
}

template <class Real>
void commit_backward(const VqShape& shape, const Real* k, const Real* quantised, Real scale, Real* dk) {
  for (Index i = 0; i < shape.length * shape.width(); ++i) dk[i] += scale * 2 * (k[i] - quantised[i]);
}

template <class Real>
void codebook_of(const VqShape& shape, const Real* sum, const Real* count, Real* codebook) {
  for (Index code = 0; code < shape.heads * shape.n_code; ++code) {
    const Real divisor = std::max(count[code], static_cast<Real>(least_count));
    for (Index i = code * shape.head_dim; i < (code + 1) * shape.head_dim; ++i) codebook[i] = sum[i] / divisor;
  }
}

template <class Real>
void add_code_statistics(const VqShape& shape, const Real* k, const std::int32_t* codes, double* counts, double* sums) {
  for (Index head = 0; head < shape.heads; ++head)
    for (Index t = 0; t < shape.length; ++t) {
      const Index code = head * shape.n_code + codes[head * shape.length + t];
      const Real* key = k + t * shape.width() + head * shape.head_dim;
      ++counts[code];
      for (Index i = 0; i < shape.head_dim; ++i) sums[code * shape.head_dim + i] += static_cast<double>(key[i]);
    }
}

template double quantise_keys(const VqShape&, const float*, const float*, std::int32_t*, float*);
template double quantise_keys(const VqShape&, const double*, const double*, std::int32_t*, double*);
template void commit_backward(const VqShape&, const float*, const float*, float, float*);
template void commit_backward(const VqShape&, const double*, const double*, double, double*);
template void codebook_of(const VqShape&, const float*, const float*, float*);
template void codebook_of(const VqShape&, const double*, const double*, double*);
template void add_code_statistics(const VqShape&, const float*, const std::int32_t*, double*, double*);
template void add_code_statistics(const VqShape&, const double*, const std::int32_t*, double*, double*);

Result<std::shared_ptr<const Mask>> model_mask(const TransformerConfig& config, Index length) {
  if (config.attn != AttentionKind::mask) return std::shared_ptr<const Mask>();
  return plain_mask(config.mask, length);
}

void attended_keys(const TransformerConfig& config, const Mask* mask, Index query, std::vector<Range>& out) {
  out.assign(1, {first_key(config, query), query + 1});
  if (!mask) return;
  mask->row(query, out);
  std::erase_if(out, [&](const Range& some) { return some.begin > query; });
  if (!out.empty()) out.back().end = std::min(out.back().end, query + 1);
}

void masked_keys(const TransformerConfig& config, const Mask& mask, Index row, Index query, std::vector<Range>& out) {
  mask.row(row, out);
  const bool whole = config.attn == AttentionKind::full || (config.quantises() && config.cache);
  if (whole) return;
  const Range own{first_key(config, query), query + 1};
  for (Range& some : out) some = common(some, own);
  std::erase_if(out, [](const Range& some) { return some.size() <= 0; });
}

KeyRanges::KeyRanges(const TransformerConfig& config, const Batch& batch, const Mask* mask, Index kept)
    : m_length(batch.length), m_shared(batch.is_plain()) {
  std::vector<Range> visible;
  for (Index row = 0; row < (m_shared ? 1 : batch.rows); ++row) {
    const Belonging belonging(batch, row);
    for (Index query = 0; query < batch.length; ++query) {
      m_first.push_back(m_ranges.size());
      const Mask* own = batch.masks.empty() ? nullptr : batch.masks[static_cast<std::size_t>(row)];
      if (own)
        masked_keys(config, *own, query, query, visible);
      else
        attended_keys(config, mask, batch.first + query, visible);
      for (Range& some : visible) {
        some.begin = std::max<Index>(0, some.begin - (batch.first - kept));
        some.end -= batch.first - kept;
      }
      if (m_shared || own) {
        m_ranges.insert(m_ranges.end(), visible.begin(), visible.end());
        continue;
      }
      for (const Range& some : visible)
        for (Index key = some.begin; key < some.end; ++key)
          if (belonging.attends(query, key)) add_key(key);
    }
  }
  m_first.push_back(m_ranges.size());
}

void KeyRanges::add_key(Index key) {
  if (m_ranges.size() > m_first.back() && m_ranges.back().end == key)
    ++m_ranges.back().end;
  else
    m_ranges.push_back({key, key + 1});
}

Range KeyRanges::span_of(Index row, Range queries) const {
  Range all{m_length, 0};
  for (Index query = queries.begin; query < queries.end; ++query) {
    const auto ranges = of(row, query);
    if (ranges.empty()) continue;
    all = {std::min(all.begin, ranges.front().begin), std::max(all.end, ranges.back().end)};
  }
  return all.begin < all.end ? all : Range{0, 0};
}

}  // namespace vqscope
