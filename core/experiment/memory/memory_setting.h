// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/keys.h"
#include "core/attention/memory/infini_attention.h"
#include "core/attention/memory/retrieval_attention.h"
#include "core/encoding/own/rotated_pair.h"
#include "core/experiment/setting/vq_tokens.h"
#include "core/method/method.h"

#include <string>
#include <vector>

namespace vqscope {

/// Tokens of the experiments with a memory: synthetic, or the user's tensors.
struct MemorySetting {
  Index q_length = 1024;
  Index d_k = 64;
  Index d_v = 64;
  Index segment_len = 128;
  QueryKeyNorm norm = QueryKeyNorm::paper;  ///< norm of queries and keys
  double match_cosine = 0.8;                ///< between a synthetic query and the key planted for it
  double deviation = 1;                     ///< standard deviation of synthetic queries and keys
  Index clusters = 0;                       ///< of the synthetic keys; 0: independent keys
  double spread = 0.3;                      ///< standard deviation around a cluster's centre; that of the centres is 1
  std::uint64_t seed = 0;
  std::shared_ptr<const VqTokens> tokens = {};    ///< null: synthetic tokens
  std::shared_ptr<const Rotation> rotation = {};  ///< of q and k of the user's tensors; null: none
};

/// Tokens of one head.
struct MemoryTokens {
  std::vector<float> queries;  ///< [q_length, d_k]
  std::vector<float> keys;     ///< [q_length, d_k]
  std::vector<float> values;   ///< [q_length, d_v]
  /// Of rotated tokens before rotation, with which a compressive memory works; empty: not rotated.
  std::vector<float> unrotated_queries = {}, unrotated_keys = {};
  std::vector<Index> matches;  ///< [q_length], the key similar to a query; -1: none; empty: nothing is planted
  Index d_k = 0, d_v = 0;

  MemoryInput input() const;
  const std::vector<float>& stored_queries() const { return unrotated_queries.empty() ? queries : unrotated_queries; }
  const std::vector<float>& stored_keys() const { return unrotated_keys.empty() ? keys : unrotated_keys; }
};

/// q_length, segment_len, d_k, d_v, normalize, data, the tensors with their RoPE, match_cosine and seed.
std::vector<ParameterSpec> memory_parameters();

/// Reads the sizes and the tensors that the values name; without `numbers`, only the sizes of
/// tensors.
Result<MemorySetting> memory_setting(const ParameterValues& values, bool numbers = true);

/// Refuses what memory_setting refuses, more tokens than the tensors have, a segment_len above
/// q_length, and more numbers than fit in most_memory_bytes().
Result<void> check_memory(const ParameterValues& values);
/// 256 MiB, or half of the machine's memory.
double most_memory_bytes();
/// Refuses `bytes` above that: "`what` need 3 GiB, must be at most 256 MiB".
Result<void> check_memory_bytes(const std::string& what, double bytes);

/// Normalised tokens. Each synthetic query of a later segment is similar to one key of an earlier
/// segment, chosen uniformly; all other numbers are independent and normal, except for keys in
/// clusters. Undefined after a stop.
MemoryTokens memory_tokens(const MemorySetting& setting, const std::stop_token& stop = {});

/// The head of the user's tensors that is read, their rotation, and synthetic values beside them.
std::string memory_remark(const ParameterValues& values, const Work& work = {});

/// `words`: the words of the tokens.
ParameterSpec words_parameter();
std::vector<std::string> words_of(const ParameterValues& values);
/// "17", "17 “apple”".
std::string token_text(Index position, const std::vector<std::string>& words);

/// The end of every formula of the experiments with a memory.
inline const std::string memory_measured = "measured on the tokens selected by data, not performance of a model";

/// Setting of the experiments with retrieval.
struct RetrievalSetting {
  MemorySetting memory;
  RetrievalOptions options;
};

/// memory_parameters with memory_len, top_k, search, mixing and gate.
std::vector<ParameterSpec> retrieval_parameters();

/// Reads them; without `numbers`, only the sizes of tensors.
Result<RetrievalSetting> retrieval_setting(const ParameterValues& values, bool numbers = true);

/// Refuses what check_memory refuses, and top_k above memory_len.
Result<void> check_retrieval_values(const ParameterValues& values);

Citation retrieval_citation();

/// memory_parameters without normalize and RoPE: the memory uses queries and keys as they are.
std::vector<ParameterSpec> infini_parameters();

/// `rule`: one of the rules. `rules`: some of them, all by default.
ParameterSpec infini_rule_parameter();
ParameterSpec infini_rules_parameter();
InfiniRule infini_rule(const std::string& id);

/// `polarity` and `beta`, from which infini_options are made, with local scores q·k / √d_k.
std::vector<ParameterSpec> infini_gate_parameters();
InfiniOptions infini_options(const ParameterValues& values, const MemorySetting& setting, InfiniRule rule);

/// Number of segments; the last may be shorter.
Index segments_of(const MemorySetting& setting);
Range segment_at(const MemorySetting& setting, Index segment);

/// Stores the pairs of a segment.
void store_segment(const MemorySetting& setting, const MemoryTokens& tokens, Index segment, InfiniRule rule,
                   const std::stop_token& stop, InfiniMemory& memory);

/// The memory's output for a stored key, compared with the stored value.
struct ReadOut {
  double error = 0;   ///< |read - v| / |v|
  double cosine = 0;  ///< cosine of the angle between them
};
ReadOut read_out(const InfiniMemory& memory, const float* key, const float* value);

Citation infini_citation();

}  // namespace vqscope
