// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention.h"
#include "core/base/random.h"
#include "core/base/text.h"

#include <cmath>
#include <string>
#include <vector>

namespace vqscope::test {

inline std::vector<float> normal_numbers(SeededRandom& random, Index count, double deviation = 1) {
  std::vector<float> numbers;
  for (Index i = 0; i < count; ++i) numbers.push_back(static_cast<float>(deviation * random.normal()));
  return numbers;
}

struct SampleShape {
  Index length = 96;
  Index heads = 1;
  Index kv_heads = 1;
  Index codebooks = 1;
  Index n_code = 12;
  Index d_k = 8;
  Index d_v = 12;
  bool gated = false;
};

/// Random q, k, v and codebook that own their numbers. Scores have about the deviation that
/// LayerNorm'd ones have.
class AttentionSample {
 public:
  explicit AttentionSample(SampleShape shape, std::uint64_t seed = 1) : m_shape(shape) {
    SeededRandom random(seed);
    const double deviation = std::pow(static_cast<double>(shape.d_k), -0.25);
    q = normal_numbers(random, shape.heads * shape.length * shape.d_k, deviation);
    k = normal_numbers(random, shape.kv_heads * shape.length * shape.d_k, deviation);
    v = normal_numbers(random, shape.kv_heads * shape.length * shape.d_v);
    codebook = normal_numbers(random, shape.codebooks * shape.n_code * shape.d_k, deviation);
    if (shape.gated) gate = normal_numbers(random, shape.heads * shape.length * shape.d_v);
  }

  AttentionInput input() const {
    AttentionInput in;
    in.q = {q, m_shape.heads, m_shape.length, m_shape.d_k};
    in.k = {k, m_shape.kv_heads, m_shape.length, m_shape.d_k};
    in.v = {v, m_shape.kv_heads, m_shape.length, m_shape.d_v};
    in.codebook = {codebook, m_shape.codebooks, m_shape.n_code, m_shape.d_k};
    if (!gate.empty()) in.gate = {gate, m_shape.heads, m_shape.length, m_shape.d_v};
    in.key_valid = valid;
    in.bias = bias;
    return in;
  }

  std::vector<float> q, k, v, codebook, gate;
  std::vector<std::uint8_t> valid;
  LocalBias bias;

 private:
  SampleShape m_shape;
};

/// A bias of normal numbers within the window, one for each head.
inline LocalBias random_bias(Index window, Index heads, std::uint64_t seed = 9) {
  SeededRandom random(seed);
  return {.window = window,
          .values = normal_numbers(random, heads * (window + 1)),
          .beyond = normal_numbers(random, heads)};
}

/// Transformer-XL's, one for all heads.
inline LocalBias random_relative_bias(Index window, Index d_k, std::uint64_t seed = 9) {
  SeededRandom random(seed);
  return {.window = window,
          .relative = normal_numbers(random, (window + 1) * d_k, 0.5),
          .offset = normal_numbers(random, d_k, 0.5)};
}

/// Where two outputs lie farther apart than `allowed` times the largest of |values|, or a number is
/// not finite; empty: nowhere.
template <class A, class B>
std::string farther(const std::vector<A>& got, const std::vector<B>& wanted, double allowed,
                    const std::vector<float>& values) {
  double largest = 0;
  for (const float value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  if (got.size() != wanted.size()) return "sizes differ";
  double worst = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double apart = std::abs(static_cast<double>(got[i]) - static_cast<double>(wanted[i]));
    if (!std::isfinite(apart)) return "not finite at " + to_text(static_cast<Index>(i));
    if (apart > worst) where = i;
    worst = std::max(worst, apart);
  }
  if (worst <= allowed * largest) return {};
  return to_text(worst / largest, 3) + " of the largest value at " + to_text(static_cast<Index>(where)) + ": got " +
         to_text(static_cast<double>(got[where])) + ", expected " + to_text(static_cast<double>(wanted[where]));
}

}  // namespace vqscope::test
