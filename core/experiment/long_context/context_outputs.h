// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/quantiser.h"
#include "core/attention/memory/infini_attention.h"
#include "core/base/index.h"
#include "core/experiment/measure/measured_time.h"
#include "core/experiment/memory/memory_setting.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// Ways to attend to a long sequence.
enum class ContextSystem {
  full,
  window,          ///< the newest keys
  sinks,           ///< the newest keys and the first keys
  transformer_xl,  ///< the segment so far and the memory before it
  memorizing,      ///< the segment so far and the best keys of a memory
  infini_linear,   ///< the segment so far and a matrix that sums earlier segments
  infini_delta,
  vq  ///< all keys, each replaced by its codeword
};

struct ContextSystemInfo {
  ContextSystem system;
  std::string id;
  std::string help;
};
std::span<const ContextSystemInfo> context_system_infos();

/// Sizes for one head and layer, except `layers`.
struct ContextSizes {
  Index d_k = 64;
  Index d_v = 64;
  Index segment_len = 512;
  Index window = 1024;
  Index sinks = 4;
  Index xl_memory_len = 512;
  Index memory_len = 8192;  ///< number of keys that are searched
  Index top_k = 32;
  Index n_code = 64;
  Index block_len = 128;  ///< block length of VQ attention
  Index layers = 12;
};

/// Cost of computing only the newest of `tokens` tokens, as in decoding, with float32 numbers.
/// Counted.
struct ContextCosts {
  double reach = 0;       ///< tokens that can influence it through all layers
  double bytes = 0;       ///< memory that one head and layer keep
  double operations = 0;  ///< floating-point operations of one head and layer
};
ContextCosts costs_of(ContextSystem system, const ContextSizes& sizes, Index tokens);

/// Keys that the newest of `tokens` tokens sees one by one: at most two ranges, ascending. Excludes
/// retrieved keys, matrices and codewords; VQ has none.
std::vector<Range> seen_directly(ContextSystem system, const ContextSizes& sizes, Index tokens);

/// The update rule; empty: the system has no matrix.
std::optional<InfiniRule> infini_rule_of(ContextSystem system);

/// Outputs of each system for the newest tokens of a growing sequence. Lengths must be requested in
/// ascending order.
class ContextOutputs {
 public:
  /// The tokens, whose keys have been normalised, must outlive this; `codewords` [n_code, d_k].
  ContextOutputs(const MemoryTokens& tokens, const ContextSizes& sizes, std::vector<float> codewords);

  /// Adds the tokens up to `length`, except the newest segment. `length` must not decrease.
  void go_on_to(Index length, const std::stop_token& stop);

  /// The output [d_v] of the last of the first `tokens` tokens, which must be in the newest segment
  /// of go_on_to.
  std::vector<double> output(ContextSystem system, Index tokens) const;

  /// Mean of |o - o_full| / |o_full| over the newest tokens: at most 32, all of the newest segment.
  /// Systems with a gate have the gate, one for all these tokens, whose squared error is least.
  double error(ContextSystem system, Index length, const std::stop_token& stop) const;

 private:
  std::vector<std::int32_t> codes_of(Range rows) const;
  void add_values(Range rows, const std::vector<std::int32_t>& codes);
  /// The operands of a gate: o = gate · memory + (1 - gate) · local.
  struct Parts {
    std::vector<double> local;
    std::vector<double> memory;  ///< empty: no gate, or nothing is in the memory yet
  };
  Parts parts(ContextSystem system, Index tokens) const;
  std::vector<double> attend(const float* query, const std::vector<Range>& keys) const;
  std::vector<double> retrieve(const float* query) const;
  std::vector<double> by_codes(const float* query, Index tokens) const;

  const float* query(Index token) const { return m_tokens.queries.data() + token * m_sizes.d_k; }
  const float* key(Index token) const { return m_tokens.keys.data() + token * m_sizes.d_k; }
  const float* value(Index token) const { return m_tokens.values.data() + token * m_sizes.d_v; }

  const MemoryTokens& m_tokens;
  ContextSizes m_sizes;
  std::vector<float> m_codewords;
  Quantiser m_quantiser;
  Index m_taken = 0;  ///< tokens of complete earlier segments
  std::map<ContextSystem, InfiniMemory> m_memories;
  std::vector<std::int32_t> m_newest;  ///< codes of the tokens that are not added yet
  std::vector<double> m_counts;        ///< number of added keys, by code
  std::vector<double> m_sums;          ///< sums of their values, [n_code, d_v]
};

}  // namespace vqscope
