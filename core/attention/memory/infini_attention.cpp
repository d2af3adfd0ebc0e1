// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/infini_attention.h"

#include "core/attention/memory/memory_input.h"
#include "core/attention/workers.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index infini_queries_at_once = 64;

double norm_of_doubles(const double* numbers, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += numbers[i] * numbers[i];
  return std::sqrt(sum);
}

/// One query head, segment by segment. Its memory is that of its key head.
class InfiniHead {
 public:
  InfiniHead(const MemoryInput& in, const InfiniOptions& options, const AttentionKernels& kernels, Index head)
      : m_in(in),
        m_options(options),
        m_kernels(kernels),
        m_head(head),
        m_kv_head(in.kv_head(head)),
        m_memory(in.k.cols, in.v.cols) {}

  void run(InfiniOutput& out, const Work& work) {
    const Index length = m_in.q.rows;
    for (Index begin = 0; begin < length && !work.stop.stop_requested(); begin += m_options.segment_len) {
      const Range segment{begin, std::min(begin + m_options.segment_len, length)};
      for (Index first = begin; first < segment.end && !work.stop.stop_requested(); first += infini_queries_at_once)
        answer(segment, {first, std::min(first + infini_queries_at_once, segment.end)}, out);
      m_memory.write(m_in.k.matrix(m_kv_head, segment), m_in.v.matrix(m_kv_head, segment), m_options.rule, work.stop);
    }
  }

  const InfiniMemory& memory() const { return m_memory; }

 private:
  /// Local attention of some queries of a segment, and what they read from the memory.
  void answer(Range segment, Range queries, InfiniOutput& out) {
    const Range keys{segment.begin, queries.end};
    const Index d_v = m_in.v.cols, first = m_head * m_in.q.rows + queries.begin;
    float* scores = m_scores.floats(queries.size() * keys.size());
    m_kernels.row_products(m_in.q.matrix(m_head, queries), m_in.k.matrix(m_kv_head, keys), scores, keys.size());
    for (Index i = 0; i < queries.size(); ++i) {
      float* row = scores + i * keys.size();
      const Index seen = queries.begin + i - keys.begin + 1;
      std::fill(row + seen, row + keys.size(), 0.0F);
      m_kernels.scale(row, seen, static_cast<float>(m_options.score_scale));
      m_kernels.scale(row, seen, 1 / m_kernels.exponentials(row, seen, m_kernels.largest(row, seen)));
    }
    m_kernels.add_product({scores, queries.size(), keys.size(), keys.size()}, m_in.v.matrix(m_kv_head, keys),
                          out.values.data() + first * d_v, d_v);
    std::vector<double> local(static_cast<std::size_t>(d_v)), read(local.size());
    const InfiniFractions fractions = infini_fractions(m_options, m_head, segment.begin == 0);
    for (Index i = 0; i < queries.size(); ++i) {
      float* row = out.values.data() + (first + i) * d_v;
      m_memory.read(m_in.q.row(m_head, queries.begin + i), read.data());
      for (Index c = 0; c < d_v; ++c) {
        const auto at = static_cast<std::size_t>(c);
        local[at] = fractions.local * static_cast<double>(row[c]);
        read[at] *= fractions.memory;
        row[c] = static_cast<float>(local[at] + read[at]);
      }
      out.local[static_cast<std::size_t>(first + i)] = static_cast<float>(norm_of_doubles(local.data(), d_v));
      out.memory[static_cast<std::size_t>(first + i)] = static_cast<float>(norm_of_doubles(read.data(), d_v));
    }
  }

  const MemoryInput& m_in;
  const InfiniOptions& m_options;
  const AttentionKernels& m_kernels;
  Index m_head, m_kv_head;
  InfiniMemory m_memory;
  Scratch m_scores;
};

}  // namespace

InfiniFractions infini_fractions(const InfiniOptions& options, Index head, bool first) {
  const double g = 1 / (1 + std::exp(-gate_of(options.gate, head)));
  if (options.polarity == InfiniGate::paper) return {1 - g, g};
  return first ? InfiniFractions{1, 0} : InfiniFractions{g, 1 - g};
}

double infini_attention_memory(const MemoryInput& in, const InfiniOptions& options) {
  const auto of = [](Index n) { return static_cast<double>(n); };
  const double output = of(in.q.heads) * of(in.q.rows) * (4 * of(in.v.cols) + 8);
  const double segment = of(std::min(options.segment_len, in.k.rows));
  const double head =
      4 * of(infini_queries_at_once) * segment + 8 * segment * of(in.v.cols) + 8 * of(in.k.cols) * of(in.v.cols + 1);
  return output + of(std::max<Index>(options.threads, 1)) * head + 8 * of(in.k.heads) * of(in.k.cols) * of(in.v.cols);
}

Result<void> check_infini(const MemoryInput& in, const InfiniOptions& options) {
  if (auto checked = check_memory_shapes(in); !checked) return checked;
  if (auto checked = check_segment_len(options.segment_len, in.k.rows); !checked) return checked;
  if (auto checked = check_gate(options.gate, in.q.heads); !checked) return checked;
  return check_memory_limit(infini_attention_memory(in, options), options.memory_limit, in.k.rows);
}

Result<InfiniOutput> infini_attention(const MemoryInput& in, const InfiniOptions& options, const Work& work) {
  if (auto checked = check_infini(in, options); !checked) return checked.error();
  if (auto checked = check_memory_numbers(in); !checked) return checked.error();
  const Index rows = in.q.heads * in.q.rows;
  InfiniOutput out;
  out.values = zeros(rows * in.v.cols, options.threads);
  out.local.resize(static_cast<std::size_t>(rows));
  out.memory.resize(static_cast<std::size_t>(rows));
  out.memories.assign(static_cast<std::size_t>(in.k.heads), InfiniMemory(in.k.cols, in.v.cols));
  const AttentionKernels& kernels = options.kernels ? *options.kernels : best_kernels();
  const Index group = in.q.heads / in.k.heads;
  std::vector<Scratch> workers(static_cast<std::size_t>(std::max(options.threads, 1)));
  share_out(workers, in.q.heads, work, 0, in.q.heads, [&](Index head, Scratch&) {
    InfiniHead one(in, options, kernels, head);
    one.run(out, work);
    if (head % group == 0) out.memories[static_cast<std::size_t>(head / group)] = one.memory();
  });
  if (work.stop.stop_requested()) return cancelled();
  return out;
}

std::vector<double> define_infini_output(const MemoryInput& in, const InfiniOptions& options, Index head, Index query) {
  assert(options.rule == InfiniRule::linear);
  const Index kv_head = in.kv_head(head), segment = query / options.segment_len * options.segment_len;
  const float* q = in.q.row(head, query);
  std::vector<double> local(static_cast<std::size_t>(in.v.cols)), far(local.size());
  double local_sum = 0, far_sum = 1e-6;
  for (Index j = 0; j <= query; ++j) {
    const float* k = in.k.row(kv_head, j);
    double product = 0, features = 0;
    for (Index c = 0; c < in.k.cols; ++c) {
      const auto a = static_cast<double>(q[c]), b = static_cast<double>(k[c]);
      product += a * b;
      features += elu_plus_one(a) * elu_plus_one(b);
    }
    const double weight = j < segment ? features : std::exp(options.score_scale * product);
    (j < segment ? far_sum : local_sum) += weight;
    auto& sums = j < segment ? far : local;
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += weight * static_cast<double>(in.v.row(kv_head, j)[c]);
  }
  const InfiniFractions fractions = infini_fractions(options, head, segment == 0);
  for (std::size_t c = 0; c < local.size(); ++c)
    local[c] = fractions.local * local[c] / local_sum + fractions.memory * far[c] / far_sum;
  return local;
}

}  // namespace vqscope
