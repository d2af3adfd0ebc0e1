// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "tests/core/model/gated_unit.h"

#include <algorithm>

namespace vqscope::test {

inline constexpr Index gated_vocab = 5;

inline TransformerConfig gated_config(PositionKind pos = PositionKind::nope, AttentionKind attn = AttentionKind::full) {
  TransformerConfig config{
      .vocab = gated_vocab, .d_model = 6, .n_layers = 1, .n_heads = 1, .n_kv_heads = 1, .head_dim = 4};
  config.layer_kind = ModelLayerKind::shga;
  config.d_v = 7;
  config.pos = pos;
  config.attn = attn;
  config.window = 3;
  config.mask = "kv_idx == 0 or (q_idx - kv_idx) % 3 == 1 or q_idx > 5";
  config.n_code = 5;
  config.block_len = 2;
  config.max_pos = 9;
  return config;
}

inline TransformerConfig gated_bias(const char* bias, AttentionKind attn = AttentionKind::full) {
  auto config = gated_config(PositionKind::relative_bias, attn);
  config.relative_bias = bias;
  return config;
}

struct GatedCase {
  const char* name;
  TransformerConfig config;
};

inline std::vector<GatedCase> gated_cases() {
  using P = PositionKind;
  using A = AttentionKind;
  std::vector<GatedCase> cases{{"nope", gated_config()},
                               {"rope", gated_config(P::rope)},
                               {"xpos in a window", gated_config(P::xpos, A::window)},
                               {"alibi with a mask", gated_bias("alibi", A::mask)},
                               {"t5_bias", gated_config(P::t5_bias)},
                               {"kerple_log", gated_bias("kerple_log")},
                               {"sandwich", gated_bias("sandwich")},
                               {"learned", gated_config(P::learned)},
                               {"sinusoidal", gated_config(P::sinusoidal)},
                               {"xl", gated_config(P::xl)},
                               {"xl in a window", gated_config(P::xl, A::window)},
                               {"vq", gated_config(P::vq, A::vq)},
                               {"vq without bias", gated_config(P::nope, A::vq)},
                               {"vq without cache", gated_config(P::vq, A::vq)}};
  cases.back().config.cache = false;
  return cases;
}

/// Weights that are all at work: those that begin at 0 or 1, or small, too.
inline Parameters<double> varied_weights(const TransformerConfig& config, std::uint64_t seed) {
  auto weights = initial_weights<double>(config, parameter_layout(config).value(), seed);
  SeededRandom random(seed + 100);
  for (double& value : weights.values) value += 0.2 * random.normal();
  for (Index i = 0; i < gated_vocab * config.d_model; ++i) *weights.at(weights.layout->head + i) *= 5;
  clamp_learnt_bias(config, weights);
  return weights;
}

struct TokenRows {
  TokenRows(Index rows_, Index length_, std::uint64_t seed) : rows(rows_), length(length_) {
    SeededRandom random(seed);
    for (Index i = 0; i < rows * length; ++i) {
      tokens.push_back(static_cast<std::int32_t>(random.bits() % gated_vocab));
      labels.push_back(static_cast<std::int32_t>(random.bits() % gated_vocab));
    }
  }
  Batch batch() const { return {rows, length, tokens, labels}; }

  Index rows, length;
  std::vector<std::int32_t> tokens, labels;
};

inline Matrix matrix_of(const Parameters<double>& weights, const std::string& name) {
  const ParameterTensor& tensor = *weights.layout->find(name);
  const auto numbers = weights.tensor(tensor);
  const auto width = static_cast<std::size_t>(tensor.shape.back());
  Matrix rows;
  for (std::size_t at = 0; at < numbers.size(); at += width)
    rows.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                      numbers.begin() + static_cast<std::ptrdiff_t>(at + width));
  return rows;
}

/// RoPE of neighbours half a head apart, base 10000.
inline Vector rotated(Vector x, Index token) {
  const std::size_t half = x.size() / 2;
  for (std::size_t k = 0; k < half; ++k) {
    const double angle =
        static_cast<double>(token) * std::pow(10000, -static_cast<double>(k) / static_cast<double>(half));
    const double first = x[k], second = x[k + half];
    x[k] = first * std::cos(angle) - second * std::sin(angle);
    x[k + half] = second * std::cos(angle) + first * std::sin(angle);
  }
  return x;
}

/// Transformer-XL's terms of a score, divided by sqrt(d_k) like q~ · k~: u · k~ + (q~ + v) · r of
/// the distance.
inline double relative_score(const Matrix& uv, const Matrix& r_proj, const Vector& q, const Vector& k, Index distance) {
  const std::size_t half = r_proj[0].size() / 2;
  const double root = std::pow(static_cast<double>(q.size()), 0.25);  // q is q~ / root
  Vector sinusoids(2 * half);
  for (std::size_t i = 0; i < half; ++i) {
    const double angle =
        static_cast<double>(distance) * std::pow(10000, -static_cast<double>(i) / static_cast<double>(half));
    sinusoids[i] = std::sin(angle);
    sinusoids[half + i] = std::cos(angle);
  }
  const Vector r = GatedUnit::times(r_proj, sinusoids);
  return (root * inner(uv[0], k) + root * inner(q, r) + inner(uv[1], r)) / (root * root);
}

inline GatedUnit unit_of(const TransformerConfig& config, const Parameters<double>& weights, Index number) {
  const std::string prefix = "model.layers." + std::to_string(number / 2) + ".gau." + std::to_string(number % 2) + ".";
  GatedUnit unit{.gain = matrix_of(weights, prefix + "input_layernorm.weight")[0],
                 .w_q = matrix_of(weights, prefix + "q_proj.weight"),
                 .w_k = matrix_of(weights, prefix + "k_proj.weight"),
                 .w_v = matrix_of(weights, prefix + "v_proj.weight"),
                 .w_g = matrix_of(weights, prefix + "g_proj.weight"),
                 .w_o = matrix_of(weights, prefix + "o_proj.weight")};
  if (config.pos == PositionKind::rope) unit.turn = rotated;
  if (config.relative_bias == "alibi") unit.bias = [](Index n) { return -static_cast<double>(n) / 256; };
  if (config.pos == PositionKind::xl)
    unit.relative = [uv = Matrix{matrix_of(weights, prefix + "u")[0], matrix_of(weights, prefix + "v")[0]},
                     r_proj = matrix_of(weights, prefix + "r_proj.weight")](const Vector& q, const Vector& k, Index n) {
      return relative_score(uv, r_proj, q, k, n);
    };
  if (config.attn == AttentionKind::window) unit.sees = [](Index q, Index k) { return k <= q && q - k < 3; };
  if (!config.quantises()) return unit;
  unit.codebook = matrix_of(weights, prefix + "codebook_sum");
  const Vector counts = matrix_of(weights, prefix + "codebook_count")[0];
  for (std::size_t s = 0; s < counts.size(); ++s)
    for (double& value : unit.codebook[s]) value /= std::max(counts[s], 0.01);
  const Vector biases = matrix_of(weights, prefix + "vq_bias")[0];
  unit.bias = [biases](Index n) { return n < std::ssize(biases) ? biases[static_cast<std::size_t>(n)] : 0; };
  if (!config.cache) unit.sees = [&config](Index q, Index k) { return k <= q && q - k <= config.block_len; };
  return unit;
}

/// The loss of one row by the definition, with codewords of a moment held.
struct HeldLoss {
  struct Held {
    Matrix codewords;  ///< of each token
    Matrix apart;      ///< from its key
  };
  const TransformerConfig& config;
  const Parameters<double>& weights;
  const TokenRows& tokens;

  Matrix embedded() const {
    const Matrix embedding = matrix_of(weights, "model.embed_tokens.weight");
    Matrix x;
    for (const std::int32_t token : tokens.tokens) x.push_back(embedding[static_cast<std::size_t>(token)]);
    return x;
  }
  std::vector<Held> held() const {
    std::vector<Held> all;
    Matrix x = embedded();
    for (Index number = 0; number < config.attention_layers(); ++number) {
      const GatedUnit unit = unit_of(config, weights, number);
      Held& own = all.emplace_back();
      for (const Vector& row : x) {
        const Vector key = unit.query_or_key(unit.w_k, row);
        own.apart.push_back(own.codewords.emplace_back(unit.nearest(key)));
        for (std::size_t i = 0; i < key.size(); ++i) own.apart.back()[i] -= key[i];
      }
      x = unit.output(x);
    }
    return all;
  }
  double loss(const std::vector<Held>& all) const {
    Matrix x = embedded();
    double sum = 0;
    for (Index number = 0; number < config.attention_layers(); ++number) {
      const Held& own = all[static_cast<std::size_t>(number)];
      GatedUnit unit = unit_of(config, weights, number);
      unit.codebook.clear();
      unit.held = own.apart;
      for (std::size_t t = 0; t < x.size(); ++t) {
        const Vector key = unit.query_or_key(unit.w_k, x[t]);
        for (std::size_t i = 0; i < key.size(); ++i)
          sum += config.commit_beta * (key[i] - own.codewords[t][i]) * (key[i] - own.codewords[t][i]);
      }
      x = unit.output(x);
    }
    GatedUnit last;
    last.gain = matrix_of(weights, "model.norm.weight")[0];
    for (std::size_t t = 0; t < x.size(); ++t) {
      const Vector logits = GatedUnit::times(matrix_of(weights, "lm_head.weight"), last.x_tilde(x[t]));
      double exponentials = 0;
      for (const double logit : logits) exponentials += std::exp(logit);
      sum += std::log(exponentials) - logits[static_cast<std::size_t>(tokens.labels[t])];
    }
    return sum / static_cast<double>(x.size());
  }
};

}  // namespace vqscope::test
