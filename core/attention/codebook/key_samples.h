// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/base/random.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace vqscope {

/// What synthetic keys look like. It decides what an error curve over codebook sizes looks like, so views name it.
enum class KeyKind {
  clustered,   ///< around `clusters` centres: what a codebook can compress
  independent  ///< normal numbers: the error falls like n_code^(-2 / d) whatever is done
};

struct KeySamples {
  KeyKind kind = KeyKind::clustered;
  Index clusters = 64;
  double spread = 0.3;  ///< deviation around a centre, the centres' own being 1
  std::uint64_t seed = 0;
};

/// Draws rows one after another: what is drawn does not depend on how many are asked for at a time.
class KeySampler {
 public:
  /// Precondition: clustered keys have a cluster or more. Stopped, the centres are not all drawn.
  KeySampler(const KeySamples& samples, Index width, const std::stop_token& stop = {});

  /// Appends [count, width] to `keys`. Stopped, only the first of them.
  void append(std::vector<float>& keys, Index count, const std::stop_token& stop = {});

 private:
  KeySamples m_samples;
  Index m_width;
  SeededRandom m_random;
  std::vector<double> m_centres;  ///< [clusters, width]; none of independent keys
};

/// [count, width], drawn by seed: the first rows are the same whatever the count. Stopped, only the first of them.
std::vector<float> sample_keys(const KeySamples& samples, Index count, Index width, const std::stop_token& stop = {});

}  // namespace vqscope
