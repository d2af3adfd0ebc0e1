// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/base/random.h"
#include "core/method/parameter.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace vqscope {

/// Distribution of synthetic keys. Views name it because it shapes the error curve over codebook
/// sizes.
enum class KeyKind {
  clustered,   ///< around `clusters` centres, which a codebook can compress
  independent  ///< normal numbers: the error falls no faster than n_code^(-2 / d)
};

struct KeySamples {
  KeyKind kind = KeyKind::clustered;
  Index clusters = 64;
  double spread = 0.3;  ///< standard deviation around a centre; that of the centres is 1
  std::uint64_t seed = 0;
};

/// Samples rows one after another: the rows do not depend on how many are requested at a time.
class KeySampler {
 public:
  /// Precondition: clustered keys have at least one cluster. After a stop some centres are missing.
  KeySampler(const KeySamples& samples, Index width, const std::stop_token& stop = {});

  /// Appends [count, width] to `keys`; after a stop, only the first rows.
  void append(std::vector<float>& keys, Index count, const std::stop_token& stop = {});

 private:
  KeySamples m_samples;
  Index m_width;
  SeededRandom m_random;
  std::vector<double> m_centres;  ///< [clusters, width]; empty for independent keys
};

/// Rows [count, width] sampled with the seed: the first rows are the same whatever the count. After
/// a stop, only the first rows.
std::vector<float> sample_keys(const KeySamples& samples, Index count, Index width, const std::stop_token& stop = {});

/// Normalisation of each query and key before their product.
enum class QueryKeyNorm {
  none,       ///< nothing: scores are q·k
  scale,      ///< times d_k^(-1/4): scores are q·k / √d_k, as models without a norm have them
  paper,      ///< RMSNorm without gain, then times d_k^(-1/4) (Transformer-VQ, definition 3.1, appendix C.2)
  layer_norm  ///< the same after subtracting the mean
};

/// Normalises [rows, width] in place. With layer_norm, rows without deviation become 0.
void normalize_rows(std::span<float> rows, Index width, QueryKeyNorm norm);

/// `normalize`, a choice; `default_value` is one of its ids.
ParameterSpec normalize_parameter(std::string_view default_value);
QueryKeyNorm norm_of(const ParameterValues& values);

/// What scores are with it: "scores q·k / √d".
std::string_view score_words(QueryKeyNorm norm);

}  // namespace vqscope
