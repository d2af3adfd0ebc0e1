// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention_forms.h"

#include "core/attention/forms/form_parts.h"
#include "core/attention/forms/ranked_codes.h"
#include "core/attention/memory/cache.h"
#include "core/attention/tensor_view.h"

namespace vqscope {
namespace {

/// Quantises one piece of the keys.
void encode_item(const AttentionInput& input, Index kv_head, Range keys, Index item, const Quantiser& quantiser,
                 Scratch& scratch, std::int32_t* shortcodes) {
  const Index begin = keys.begin + item * keys_quantised_at_once;
  const Range some{begin, std::min(begin + keys_quantised_at_once, keys.end)};
  const std::uint8_t* valid = input.key_valid.empty() ? nullptr : input.key_valid.data() + begin;
  quantiser.encode(input.k.matrix(kv_head, some), valid, scratch, shortcodes + begin);
}

/// The query heads that share one key head.
class Group {
 public:
  Group(const AttentionInput& input, const AttentionOptions& options, const AttentionKernels& kernels, const Work& work,
        Index kv_head, std::vector<LinearWorker>& workers, std::int32_t* codes, float* out)
      : m_input(input),
        m_options(options),
        m_kernels(kernels),
        m_work(work),
        m_plan(input, options),
        m_kv_head(kv_head),
        m_quantiser(quantiser_of(input, kv_head, kernels)),
        m_workers(workers),
        m_codes(codes),
        m_out(out),
        m_heads(input.q.heads / input.k.heads),
        m_ranked(m_quantiser.codebook(), m_plan) {
    const Index states = options.agg_cache ? m_plan.wave + 1 : 0;
    m_states = CacheStates(states, input.codebook.rows, input.v.cols);
    for (Index h = 0; h < m_heads; ++h) m_biases.emplace_back(input.bias, kv_head * m_heads + h, input.q.cols);
  }

  void run() {
    if (m_options.causal)
      run_causal();
    else
      run_without_mask();
    m_ranked.restore(m_codes);
  }

 private:
  void run_causal() {
    for (Index begin = 0; begin < m_plan.blocks && !m_work.stop.stop_requested(); begin += m_plan.wave) {
      const Range wave{begin, std::min(begin + m_plan.wave, m_plan.blocks)};
      quantise_wave(wave);
      if (m_options.agg_cache) carry_on(wave, m_plan.before + 1);
      attend(wave);
    }
  }

  /// Every query sees all keys, all through the cache (theorem 3.5).
  void run_without_mask() {
    for (Index begin = 0; begin < m_plan.blocks && !m_work.stop.stop_requested(); begin += m_plan.wave) {
      const Range wave{begin, std::min(begin + m_plan.wave, m_plan.blocks)};
      quantise_wave(wave);
      carry_on(wave, 0);
      m_last_state = wave.size();
    }
    attend({0, m_plan.blocks});
  }

  void quantise_wave(Range wave) {
    const Range keys = m_plan.tokens(wave);
    const Index items = pieces_of(keys.size(), keys_quantised_at_once);
    share_out(m_workers, items, {.stop = m_work.stop}, 0, items, [&](Index item, LinearWorker& worker) {
      encode_item(m_input, m_kv_head, keys, item, m_quantiser, worker.scores, m_codes);
    });
    m_ranked.rank(m_codes, m_plan, wave);
  }

  /// Fills states 1, 2, ... with the caches of the wave's blocks. Each adds the block `behind`
  /// blocks back.
  void carry_on(Range wave, Index behind) {
    if (m_carried > 0) move_state(m_carried, 0);
    m_carried = wave.size();
    std::vector<CachedKeys> blocks;
    for (Index block = wave.begin; block < wave.end; ++block) {
      const Range keys = m_plan.tokens({block - behind, block - behind + 1});
      blocks.push_back({m_codes + keys.begin, m_input.v.row(m_kv_head, keys.begin), keys.size()});
    }
    switch (m_options.reduction) {
      case CacheReduction::matmul: return matmul_cache(blocks, m_options.threads, m_kernels, m_work.stop, m_states);
      case CacheReduction::associative_scan:
        return associative_scan_cache(blocks, m_options.threads, m_work.stop, m_states);
      case CacheReduction::serial_scan:
      case CacheReduction::input_scan: return scan_cache(blocks, m_options.threads, m_work.stop, m_states);
    }
  }

  void move_state(Index from, Index to) {
    std::copy_n(m_states.counts_of(from), m_states.n_code, m_states.counts_of(to));
    std::copy_n(m_states.means_of(from), m_states.n_code * m_states.d_v, m_states.means_of(to));
  }

  void attend(Range wave) {
    const Index items = wave.size() * m_heads * m_plan.pieces;
    const Index of_head = m_plan.blocks * m_plan.pieces;
    const Index done = (m_kv_head * of_head + wave.begin * m_plan.pieces) * m_heads;
    share_out(m_workers, items, m_work, done, m_input.q.heads * of_head, [&](Index item, LinearWorker& worker) {
      const Index block = wave.begin + item / (m_heads * m_plan.pieces);
      const Index begin = block * m_plan.block_len + item % m_plan.pieces * m_plan.queries;
      const Index end = std::min({begin + m_plan.queries, (block + 1) * m_plan.block_len, m_plan.length});
      if (begin < end) attend_some(item / m_plan.pieces % m_heads, {begin, end}, block, block - wave.begin + 1, worker);
    });
  }

  void attend_some(Index head_of_group, Range queries, Index block, Index state, LinearWorker& worker) {
    const Index head = m_kv_head * m_heads + head_of_group;
    SeenKeys keys;
    keys.first = m_plan.tokens({block - m_plan.before, block}).begin;
    keys.codes = m_codes + keys.first;
    if (m_options.causal)
      keys.values = visible_rows(m_input.v, m_kv_head, {keys.first, queries.end}, m_input.key_valid, worker.values);
    if (!m_options.causal || (m_options.agg_cache && block > m_plan.before)) {
      keys.cache = &m_states;
      keys.state = m_options.causal ? state : m_last_state;
      keys.cached_codes = m_ranked.used_before(m_options.causal ? block - m_plan.before : m_plan.blocks);
    }
    keys.codewords = m_ranked.codewords_before(m_options.causal ? block + 1 : m_plan.blocks);
    keys.rotation = rotated_block(head, queries, keys.first);
    const auto attend_queries = m_plan.by_code ? linear_strips : linear_block;
    attend_queries(m_input.q.matrix(head, queries), queries.begin, keys,
                   m_biases[static_cast<std::size_t>(head_of_group)], m_kernels, worker, m_work.stop,
                   m_out + (head * m_plan.length + queries.begin) * m_input.v.cols);
  }

  RotatedBlock rotated_block(Index head, Range queries, Index first) const {
    const LateRotation& rotation = m_input.rotation;
    if (!rotation.is_clipped()) return {};
    return {rotation.q.matrix(head, queries), rotation.codewords.matrix(m_kv_head, {first, queries.end}),
            rotation.far_q.matrix(head, queries), rotation.window};
  }

  const AttentionInput& m_input;
  const AttentionOptions& m_options;
  const AttentionKernels& m_kernels;
  const Work& m_work;
  LinearPlan m_plan;
  Index m_kv_head;
  Quantiser m_quantiser;
  std::vector<LinearWorker>& m_workers;
  std::int32_t* m_codes;  ///< [T]; their ranks while this runs
  float* m_out;           ///< of all heads
  Index m_heads;          ///< of q
  RankedCodes m_ranked;
  std::vector<HeadBias> m_biases;
  CacheStates m_states;  ///< the first is the cache before the wave
  Index m_carried = 0;   ///< index of the state with which the next wave begins
  Index m_last_state = 0;
};

}  // namespace

Quantiser quantiser_of(const AttentionInput& input, Index kv_head, const AttentionKernels& kernels) {
  return {input.codebook.matrix(std::min(kv_head, input.codebook.heads - 1)), kernels};
}

void quantise_keys(const AttentionInput& input, Index kv_head, Range keys, const Quantiser& quantiser, int threads,
                   const Work& work, std::int32_t* shortcodes) {
  std::vector<Scratch> scratches(static_cast<std::size_t>(std::max(threads, 1)));
  const Index items = pieces_of(keys.size(), keys_quantised_at_once);
  share_out(scratches, items, work, 0, items, [&](Index item, Scratch& scratch) {
    encode_item(input, kv_head, keys, item, quantiser, scratch, shortcodes);
  });
}

void linear_attention(const AttentionInput& input, const AttentionOptions& options, const AttentionKernels& kernels,
                      const Work& work, std::int32_t* shortcodes, float* out) {
  std::vector<LinearWorker> workers(static_cast<std::size_t>(std::max(options.threads, 1)));
  for (Index kv_head = 0; kv_head < input.k.heads && !work.stop.stop_requested(); ++kv_head)
    Group(input, options, kernels, work, kv_head, workers, shortcodes + kv_head * input.k.rows, out).run();
}

}  // namespace vqscope
