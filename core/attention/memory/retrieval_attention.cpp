// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/retrieval_attention.h"

#include "core/attention/memory/memory_input.h"
#include "core/attention/workers.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

struct RetrievalWorker {
  Scratch search, scores;
};

/// Some queries of one segment and head.
class RetrievalBlock {
 public:
  RetrievalBlock(const MemoryInput& in, const RetrievalOptions& options, const AttentionKernels& kernels,
                 RetrievalWorker& worker, RetrievalOutput& out)
      : m_in(in), m_options(options), m_kernels(kernels), m_worker(worker), m_out(out) {}

  /// `first` is the row of the output for the block's first query.
  void run(Index head, Range queries, Index first, const std::stop_token& stop) {
    m_kv_head = m_in.kv_head(head);
    const Range memory = memory_range(queries.begin, m_options);
    if (memory.size() > 0) retrieve(head, queries, memory, first, stop);
    if (stop.stop_requested()) return;
    const Range keys{memory.end, queries.end};
    float* scores = m_worker.scores.floats(queries.size() * keys.size());
    m_kernels.row_products(m_in.q.matrix(head, queries), m_in.k.matrix(m_kv_head, keys), scores, keys.size());
    for (Index i = 0; i < queries.size(); ++i)
      weigh(head, queries.begin + i - keys.begin + 1, first + i, scores + i * keys.size(), keys.size());
    m_kernels.add_product({scores, queries.size(), keys.size(), keys.size()}, m_in.v.matrix(m_kv_head, keys),
                          m_out.values.data() + first * m_in.v.cols, m_in.v.cols);
    for (Index i = 0; i < queries.size(); ++i) add_retrieved(first + i);
  }

 private:
  RetrievedKey* found_by(Index row) { return m_out.retrieved.data() + row * m_options.top_k; }
  float* weights_of(Index row) { return m_out.weights.data() + row * m_options.top_k; }

  Index count_of(Index row) {
    const RetrievedKey* found = found_by(row);
    return std::find_if(found, found + m_options.top_k, [](const auto& key) { return key.position < 0; }) - found;
  }

  void retrieve(Index head, Range queries, Range memory, Index first, const std::stop_token& stop) {
    find_keys_of_block(m_in.q.matrix(head, queries), m_in.k.matrix(m_kv_head, memory),
                       {.top_k = m_options.top_k, .search = m_options.search, .kernels = &m_kernels}, m_worker.search,
                       stop, found_by(first));
    for (Index i = 0; i < queries.size() * m_options.top_k; ++i)
      if (auto& key = found_by(first)[i]; key.position >= 0) key.position += memory.begin;
  }

  /// Turns the scores of `seen` local keys and of the retrieved keys into weights of the output.
  void weigh(Index head, Index seen, Index row, float* local, Index width) {
    const Index count = count_of(row);
    float* weights = weights_of(row);
    for (Index i = 0; i < count; ++i) weights[i] = found_by(row)[i].score;
    std::fill(local + seen, local + width, 0.0F);
    float local_max = m_kernels.largest(local, seen), memory_max = m_kernels.largest(weights, count);
    const bool joint = m_options.mixing == MemoryMixing::joint;
    if (joint) local_max = memory_max = std::max(local_max, memory_max);
    float local_sum = m_kernels.exponentials(local, seen, local_max);
    float memory_sum = count > 0 ? m_kernels.exponentials(weights, count, memory_max) : 0;
    const double g = count > 0 ? 1 / (1 + std::exp(-gate_of(m_options.gate, head))) : 0;
    const float fraction = joint ? memory_sum / (local_sum + memory_sum) : static_cast<float>(g);
    if (joint) local_sum = memory_sum = local_sum + memory_sum;
    const auto local_part = joint ? 1.0F : static_cast<float>(1 - g);
    m_kernels.scale(local, seen, local_part / local_sum);
    if (count > 0) m_kernels.scale(weights, count, (joint ? 1.0F : fraction) / memory_sum);
    m_out.memory_fraction[static_cast<std::size_t>(row)] = fraction;
    m_out.local_log_sum[static_cast<std::size_t>(row)] =
        static_cast<double>(local_max) + std::log(static_cast<double>(local_sum) / (joint ? 1 : 1 - g));
  }

  void add_retrieved(Index row) {
    float* out = m_out.values.data() + row * m_in.v.cols;
    const Index count = count_of(row);
    for (Index i = 0; i < count; ++i) {
      const float* value = m_in.v.row(m_kv_head, found_by(row)[i].position);
      const float weight = weights_of(row)[i];
      for (Index c = 0; c < m_in.v.cols; ++c) out[c] += weight * value[c];
    }
  }

  const MemoryInput& m_in;
  const RetrievalOptions& m_options;
  const AttentionKernels& m_kernels;
  RetrievalWorker& m_worker;
  RetrievalOutput& m_out;
  Index m_kv_head = 0;
};

/// Divides queries into pieces within one segment each. Except for the first, pieces begin at the
/// same positions whatever queries are requested.
std::vector<Range> query_pieces(Range queries, Index segment_len) {
  std::vector<Range> pieces;
  for (Index begin = queries.begin; begin < queries.end;) {
    const Index segment = begin / segment_len * segment_len;
    const Index piece = segment + ((begin - segment) / queries_searched_at_once + 1) * queries_searched_at_once;
    pieces.push_back({begin, std::min({piece, segment + segment_len, queries.end})});
    begin = pieces.back().end;
  }
  return pieces;
}

}  // namespace

Result<void> check_retrieval(const MemoryInput& in, const RetrievalOptions& options, Range queries) {
  if (auto checked = check_memory_shapes(in); !checked) return checked;
  if (auto checked = check_segment_len(options.segment_len, in.k.rows); !checked) return checked;
  if (options.memory_len < 1) return invalid("memory_len is {} but must be 1 or more", options.memory_len);
  if (options.top_k < 1 || options.top_k > options.memory_len)
    return invalid("top_k is {} but must be 1 to {}, the keys in the memory", options.top_k, options.memory_len);
  if (auto checked = check_gate(options.gate, in.q.heads); !checked) return checked;
  if (queries.begin < 0 || queries.end > in.q.rows || queries.size() < 1)
    return invalid("queries {} to {} are requested, q has {}", queries.begin, queries.end, in.q.rows);
  return check_memory_limit(retrieval_memory(in, options, queries), options.memory_limit, in.k.rows);
}

double retrieval_memory(const MemoryInput& in, const RetrievalOptions& options, Range queries) {
  const auto of = [](Index n) { return static_cast<double>(n); };
  const double each = 4 * of(in.v.cols) + 20 * of(options.top_k) + 12;
  const double work = 4 * of(queries_searched_at_once) * (of(std::min(options.segment_len, in.k.rows)) + 512);
  return of(in.q.heads) * of(queries.size()) * each + of(std::max(options.threads, 1)) * work;
}

Result<RetrievalOutput> retrieval_attention(const MemoryInput& in, const RetrievalOptions& options, Range queries,
                                            const Work& work) {
  if (auto checked = check_retrieval(in, options, queries); !checked) return checked.error();
  if (auto checked = check_memory_numbers(in); !checked) return checked.error();
  const Index rows = in.q.heads * queries.size();
  RetrievalOutput out;
  out.values = zeros(rows * in.v.cols, options.threads);
  out.retrieved.resize(static_cast<std::size_t>(rows * options.top_k));
  out.weights.resize(static_cast<std::size_t>(rows * options.top_k));
  out.memory_fraction.resize(static_cast<std::size_t>(rows));
  out.local_log_sum.resize(static_cast<std::size_t>(rows));
  const auto pieces = query_pieces(queries, options.segment_len);
  const auto count = static_cast<Index>(pieces.size()) * in.q.heads;
  const AttentionKernels& kernels = options.kernels ? *options.kernels : best_kernels();
  std::vector<RetrievalWorker> workers(static_cast<std::size_t>(std::max(options.threads, 1)));
  share_out(workers, count, work, 0, count, [&](Index item, RetrievalWorker& worker) {
    const Index head = item % in.q.heads;
    const Range piece = pieces[static_cast<std::size_t>(item / in.q.heads)];
    RetrievalBlock(in, options, kernels, worker, out)
        .run(head, piece, head * queries.size() + piece.begin - queries.begin, work.stop);
  });
  if (work.stop.stop_requested()) return cancelled();
  return out;
}

}  // namespace vqscope
