// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/head_tokens.h"

#include "core/attention/codebook/key_samples.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_drawn = 2048;  // rows

/// [rows, width] with standard deviation `deviation`, repeating the sampled rows. Empty after a
/// stop.
std::vector<float> repeated_rows(std::uint64_t seed, Index rows, Index width, double deviation,
                                 const std::stop_token& stop) {
  std::vector<float> all =
      sample_keys({.kind = KeyKind::independent, .seed = seed}, std::min(rows, most_drawn), width, stop);
  if (stop.stop_requested()) return {};
  for (float& x : all) x *= static_cast<float>(deviation);
  const std::size_t drawn = all.size();
  const auto wanted = static_cast<std::size_t>(rows * width);
  all.reserve(wanted);
  for (std::size_t done = drawn; done < wanted && !stop.stop_requested(); done += drawn) {
    const std::size_t some = std::min(drawn, wanted - done);
    all.resize(done + some);
    std::copy_n(all.begin(), some, all.begin() + static_cast<std::ptrdiff_t>(done));
  }
  return all;
}

}  // namespace

HeadShape head_shape(HeadType type, Index num_heads, Index d_k, Index d_v) {
  if (type == HeadType::shga) return {type, 1, 1, d_k, d_v};
  assert(num_heads > 0 && d_v % num_heads == 0);
  return {type, num_heads, type == HeadType::mha ? num_heads : 1, d_k, d_v / num_heads};
}

double head_tokens_bytes(const HeadShape& shape, Index length, Index n_code) {
  const Index gate = shape.type == HeadType::shga ? shape.d_v : 0;
  const Index a_token = shape.heads * shape.d_k + shape.kv_heads * (shape.d_k + shape.d_v) + gate;
  return sizeof(float) * (static_cast<double>(length) * static_cast<double>(a_token) +
                          static_cast<double>(shape.kv_heads * n_code) * static_cast<double>(shape.d_k));
}

HeadTokens::HeadTokens(const HeadShape& shape, Index length, Index n_code, std::uint64_t seed,
                       const std::stop_token& stop)
    : m_shape(shape), m_length(length), m_n_code(n_code) {
  const double deviation = std::pow(static_cast<double>(shape.d_k), -0.25);
  m_q = repeated_rows(seed, shape.heads * length, shape.d_k, deviation, stop);
  m_k = repeated_rows(seed + 1, shape.kv_heads * length, shape.d_k, deviation, stop);
  m_v = repeated_rows(seed + 2, shape.kv_heads * length, shape.d_v, 1, stop);
  m_codebook = repeated_rows(seed + 3, shape.kv_heads * n_code, shape.d_k, deviation, stop);
  if (shape.type == HeadType::shga) m_gate = repeated_rows(seed + 4, length, shape.d_v, 1, stop);
}

AttentionInput HeadTokens::input() const {
  AttentionInput input;
  input.q = {m_q, m_shape.heads, m_length, m_shape.d_k};
  input.k = {m_k, m_shape.kv_heads, m_length, m_shape.d_k};
  input.v = {m_v, m_shape.kv_heads, m_length, m_shape.d_v};
  input.codebook = {m_codebook, m_shape.kv_heads, m_n_code, m_shape.d_k};
  if (!m_gate.empty()) input.gate = {m_gate, m_shape.heads, m_length, m_shape.d_v};
  return input;
}

}  // namespace vqscope
