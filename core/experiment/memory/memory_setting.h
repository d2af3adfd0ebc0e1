// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/query_key_norm.h"
#include "core/attention/memory/retrieval_attention.h"
#include "core/experiment/setting/vq_tokens.h"
#include "core/method/method.h"

#include <string>
#include <vector>

namespace vqscope {

/// Tokens that the experiments with a memory look at: synthetic ones, or somebody's own.
struct MemorySetting {
  Index q_length = 1024;
  Index d_k = 64;
  Index d_v = 64;
  Index segment_len = 128;
  QueryKeyNorm norm = QueryKeyNorm::paper;  ///< of queries and keys
  double match_cosine = 0.8;                ///< between a synthetic query and the key that is planted for it
  double deviation = 1;                     ///< of the numbers of synthetic queries and keys
  std::uint64_t seed = 0;
  std::shared_ptr<const VqTokens> tokens = {};  ///< null: they are sampled
};

/// One head.
struct MemoryTokens {
  std::vector<float> queries;  ///< [q_length, d_k]
  std::vector<float> keys;     ///< [q_length, d_k]
  std::vector<float> values;   ///< [q_length, d_v]
  std::vector<Index> matches;  ///< [q_length], the key that a query is like; -1: none; empty: nothing is planted
  Index d_k = 0, d_v = 0;

  MemoryInput input() const;
};

/// q_length, segment_len, d_k, d_v, normalize, data, the tensors, match_cosine and seed.
std::vector<ParameterSpec> memory_parameters();

/// Reads the sizes, and the tensors that the values name; without `numbers` their sizes alone.
Result<MemorySetting> memory_setting(const ParameterValues& values, bool numbers = true);

/// Refuses what memory_setting does, more tokens than the tensors have, a segment_len above q_length, and more numbers
/// than most_memory_bytes() hold.
Result<void> check_memory(const ParameterValues& values);
/// 256 MiB, or half of what the machine has.
double most_memory_bytes();
/// Refuses `bytes` above that: "`what` need 3 GiB, must be at most 256 MiB".
Result<void> check_memory_bytes(const std::string& what, double bytes);

/// Normalised. Each synthetic query of a later segment is like one key of an earlier segment, which is as likely to be
/// any of them; the other numbers are independent and normal. Stopped, it means nothing.
MemoryTokens memory_tokens(const MemorySetting& setting, const std::stop_token& stop = {});

/// `words`, and the word of a token: empty where there is none.
ParameterSpec words_parameter();
std::vector<std::string> words_of(const ParameterValues& values);
/// "17", "17 “apple”".
std::string token_text(Index position, const std::vector<std::string>& words);

/// How every formula of the experiments with a memory ends.
inline const std::string memory_measured = "measured on the tokens that data names, not performance of a model";

}  // namespace vqscope
