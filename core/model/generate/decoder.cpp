// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/generate/decoder.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/model/attention/vq_keys.h"
#include "core/model/layer/layers.h"
#include "core/model/pass/recall_pass.h"
#include "core/model/position/positions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace vqscope {
namespace {

std::vector<std::int32_t> positions_up_to(Index length) {
  std::vector<std::int32_t> positions(static_cast<std::size_t>(length));
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

template <class Real>
std::vector<Real> zeros(Index count) {
  return std::vector<Real>(static_cast<std::size_t>(count));
}

template <class Real>
Real product(const Real* a, const Real* b, Index n) {
  Real sum = 0;
  for (Index i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// Transformer-XL's sinusoids of the distances, projected, [length, heads · head_dim].
template <class Real>
std::vector<Real> distance_keys(const TransformerConfig& c, Index length, const Real* projection) {
  std::vector<Real> sinusoids;
  for (const double value : distance_sinusoids(c, length))
    sinusoids.push_back(static_cast<Real>(distance_scale(c) * value));
  auto keys = zeros<Real>(length * c.query_width());
  linear({length, c.d_model, c.query_width()}, sinusoids.data(), projection, keys.data());
  return keys;
}

}  // namespace

template <class Real>
Result<std::unique_ptr<Decoder<Real>>> Decoder<Real>::create(const TransformerConfig& config,
                                                             const Parameters<Real>& parameters, Index length) {
  assert(length > 0);
  if (config.pos == PositionKind::learned && length > config.max_pos)
    return invalid("the sequence has {} tokens, the table of learned positions has {}", length, config.max_pos);
  if (auto checked = check_xpos_range<Real>(config, length - 1); !checked) return checked.error();
  return guarded([&]() -> Result<std::unique_ptr<Decoder>> {
    auto mask = model_mask(config, length);
    if (!mask) return mask.error();
    std::unique_ptr<Decoder> decoder(new Decoder(config, parameters, length));
    decoder->m_mask = std::move(*mask);
    return decoder;
  });
}

template <class Real>
Decoder<Real>::Decoder(const TransformerConfig& c, const Parameters<Real>& parameters, Index length)
    : m_config(c), m_parameters(parameters), m_length(length), m_distance_bias(c, length) {
  const auto positions = positions_up_to(length);
  m_rotary = rotary_tables<Real>(c, positions);
  m_far_rotary = far_rotary_tables<Real>(c);
  if (c.pos == PositionKind::sinusoidal)
    for (const double value : sinusoidal_encodings(c.d_model, positions))
      m_sinusoids.push_back(static_cast<Real>(value));
  for (Index number = 0; number < c.attention_layers(); ++number) {
    Layer& layer = m_layers.emplace_back();
    layer.keys = zeros<Real>(length * c.key_width());
    layer.values = zeros<Real>(length * c.value_width());
    if (c.far_distance() > 0 || c.recalls()) layer.plain = layer.keys;
    if (c.compresses()) layer.states = zeros<Real>(c.n_kv_heads * compressive_shape(c, 1).state_size());
    if (!m_distance_bias.none()) {
      layer.bias = zeros<Real>(c.n_heads * c.distances(length));
      if (!m_distance_bias.by_position()) m_distance_bias.forward(parameters, number, layer.bias.data());
    }
    const LayerOffsets& at = parameters.layout->layers[static_cast<std::size_t>(number)];
    if (c.pos == PositionKind::xl) layer.distance_keys = distance_keys(c, c.distances(length), parameters.at(at.xl_r));
    if (!c.quantises()) continue;
    layer.codebook = zeros<Real>(c.key_width() * c.n_code);
    codebook_of({1, c.n_kv_heads, c.head_dim, c.n_code}, parameters.at(at.codebook_sum),
                parameters.at(at.codebook_count), layer.codebook.data());
  }
  m_x = m_normed = zeros<Real>(c.d_model);
  m_q = m_far_q = m_plain_q = m_distance_q = zeros<Real>(c.query_width());
  m_context = zeros<Real>(c.context_width());
  m_gate = m_up = zeros<Real>(c.gated() ? c.d_v : c.d_ff);
  m_logits = zeros<Real>(c.vocab);
  m_weights = zeros<Real>(length);
}

template <class Real>
void Decoder<Real>::embed(std::int32_t token) {
  const auto& c = m_config;
  std::ranges::fill(m_x, Real{0});
  add_embedding(std::array{token}, c.d_model, static_cast<Real>(c.embed_scale),
                m_parameters.at(m_parameters.layout->embedding), m_x.data());
  for (Index i = 0; i < c.d_model && !m_sinusoids.empty(); ++i)
    m_x[static_cast<std::size_t>(i)] += m_sinusoids[static_cast<std::size_t>(m_position * c.d_model + i)];
  if (const Real* table = m_parameters.at_if(m_parameters.layout->positions))
    add_embedding(std::array{static_cast<std::int32_t>(m_position)}, c.d_model, Real{1}, table, m_x.data());
}

/// Turns the query and the newest key into the form that the scores take.
template <class Real>
void Decoder<Real>::place(Layer& layer, const LayerOffsets& offsets) {
  const auto& c = m_config;
  if (m_distance_bias.by_position()) m_distance_bias.forward_row(m_parameters, m_tokens, layer.bias.data());
  Real* key = layer.keys.data() + m_tokens * c.key_width();
  if (c.normalises()) {
    const auto norm_of = [&](Index heads) {
      return RmsNorm<Real>{heads, c.head_dim, static_cast<Real>(c.eps),
                           static_cast<Real>(std::pow(static_cast<double>(c.head_dim), -0.25))};
    };
    const auto q = m_q;
    const std::vector<Real> k(key, key + c.key_width());
    auto normed = k;
    auto r = zeros<Real>(c.n_heads);
    norm_of(c.n_heads).forward(q.data(), nullptr, m_q.data(), r.data());
    norm_of(c.n_kv_heads).forward(k.data(), nullptr, normed.data(), r.data());
    std::ranges::copy(normed, key);
    std::vector<std::int32_t> codes(static_cast<std::size_t>(c.n_kv_heads));
    if (c.quantises())
      quantise_keys({1, c.n_kv_heads, c.head_dim, c.n_code}, normed.data(), layer.codebook.data(), codes.data(), key);
  }
  m_plain_q = m_q;  // recall uses the query without Transformer-XL's u, and before rotation
  const auto scale = static_cast<Real>(distance_scale(c));
  for (Index i = 0; i < c.query_width() && c.pos == PositionKind::xl; ++i) {
    Real& q = m_q[static_cast<std::size_t>(i)];
    m_distance_q[static_cast<std::size_t>(i)] = q + scale * *m_parameters.at(offsets.xl_v + i);
    q += scale * *m_parameters.at(offsets.xl_u + i);
  }
  if (!layer.plain.empty()) std::copy_n(key, c.key_width(), layer.plain.data() + m_tokens * c.key_width());
  if (!c.rotates()) return;
  if (c.far_distance() > 0) {
    m_far_q = m_q;
    Rotary<Real>{1, c.n_heads, c.head_dim, m_far_rotary.query_cos.data(), m_far_rotary.query_sin.data()}.forward(
        m_far_q.data());
  }
  const Index at = (c.quantises() ? m_tokens : m_position) * (c.head_dim / 2);
  Rotary<Real>{1, c.n_heads, c.head_dim, m_rotary.query_cos.data() + at, m_rotary.query_sin.data() + at}.forward(
      m_q.data());
  Rotary<Real>{1, c.n_kv_heads, c.head_dim, m_rotary.key_cos.data() + at, m_rotary.key_sin.data() + at}.forward(key);
}

/// Scores, softmax and context of one head of the newest query.
template <class Real>
void Decoder<Real>::attend_head(const Layer& layer, Index head) {
  const auto& c = m_config;
  const Index width = c.key_width(), at = head * c.head_dim, distances = c.distances(m_length);
  const Index kv_head = head / (c.n_heads / c.n_kv_heads), kv = kv_head * c.head_dim;
  const Real scale = c.normalises() ? Real{1} : static_cast<Real>(1 / std::sqrt(static_cast<double>(c.head_dim)));
  Real largest = -std::numeric_limits<Real>::infinity(), sum = 0;
  const auto for_visible = [&](const auto& body) {
    for (const Range& some : m_visible)
      for (Index key = some.begin; key < some.end; ++key) body(key);
  };
  const auto weight = [&](Index key) -> Real& { return m_weights[static_cast<std::size_t>(key)]; };
  for_visible([&](Index key) {
    const Index distance = m_tokens - key;
    const bool far = c.far_distance() > 0 && distance >= c.far_distance();
    const Index counted = std::min(distance, distances - 1);
    const Real* k = (far ? layer.plain : layer.keys).data() + key * width + kv;
    Real score = product((far ? m_far_q : m_q).data() + at, k, c.head_dim);
    if (!layer.distance_keys.empty())
      score +=
          product(m_distance_q.data() + at, layer.distance_keys.data() + counted * c.query_width() + at, c.head_dim);
    score *= scale;
    if (!layer.bias.empty()) score += layer.bias[static_cast<std::size_t>(head * distances + counted)];
    weight(key) = score;
    largest = std::max(largest, score);
  });
  for_visible([&](Index key) { sum += weight(key) = std::exp(weight(key) - largest); });
  Real* context = m_context.data() + head * c.value_dim();
  std::fill_n(context, c.value_dim(), Real{0});
  for_visible([&](Index key) {
    const Real* v = layer.values.data() + key * c.value_width() + kv_head * c.value_dim();
    for (Index i = 0; i < c.value_dim(); ++i) context[i] += weight(key) / sum * v[i];
  });
}

template <class Real>
void Decoder<Real>::attend(Layer& layer, const LayerOffsets& at) {
  const auto& c = m_config;
  Real r = 0;
  RmsNorm<Real>{1, c.d_model, static_cast<Real>(c.eps)}.forward(m_x.data(), m_parameters.at(at.input_norm),
                                                                m_normed.data(), &r);
  const Index newest = m_tokens * c.key_width();
  linear({1, c.d_model, c.query_width()}, m_normed.data(), m_parameters.at(at.q), m_q.data());
  linear({1, c.d_model, c.key_width()}, m_normed.data(), m_parameters.at(at.k), layer.keys.data() + newest);
  linear({1, c.d_model, c.key_width()}, m_normed.data(), m_parameters.at(at.v), layer.values.data() + newest);
  if (c.qk_bias) {
    add_bias(1, c.query_width(), m_parameters.at(at.q_bias), m_q.data());
    add_bias(1, c.key_width(), m_parameters.at(at.k_bias), layer.keys.data() + newest);
  }
  place(layer, at);
  for (Index head = 0; head < c.n_heads; ++head) attend_head(layer, head);
  if (at.memory_gate >= 0) recall(layer, at);
  linear({1, c.query_width(), c.d_model}, m_context.data(), m_parameters.at(at.o), m_x.data(), true);
}

/// Mixes the context of the newest query, so far that of its segment, with the recalled context.
template <class Real>
void Decoder<Real>::recall(Layer& layer, const LayerOffsets& at) {
  const auto& c = m_config;
  const RetrievalOperands<Real> in{nullptr, layer.plain.data(), layer.values.data()};
  auto recalled = zeros<Real>(c.context_width());
  if (c.compresses()) {
    recall_newest(compressive_shape(c, m_length), in, m_tokens, m_plain_q.data(), layer.states.data(), recalled.data());
  } else {
    if (m_tokens < c.segment) return;
    retrieve_newest(retrieval_shape(c, m_length), in, m_tokens, m_plain_q.data(), recalled.data());
  }
  for (Index i = 0; i < c.context_width(); ++i) {
    const Real gate = 1 / (1 + std::exp(-*m_parameters.at(at.memory_gate + i / c.value_dim())));
    Real& context = m_context[static_cast<std::size_t>(i)];
    context += gate * (recalled[static_cast<std::size_t>(i)] - context);
  }
}

template <class Real>
void Decoder<Real>::transform(const LayerOffsets& at) {
  const auto& c = m_config;
  Real r = 0;
  RmsNorm<Real>{1, c.d_model, static_cast<Real>(c.eps)}.forward(m_x.data(), m_parameters.at(at.post_norm),
                                                                m_normed.data(), &r);
  linear({1, c.d_model, c.d_ff}, m_normed.data(), m_parameters.at(at.up), m_up.data());
  auto hidden = zeros<Real>(c.d_ff);
  if (c.mlp == MlpKind::swiglu) {
    linear({1, c.d_model, c.d_ff}, m_normed.data(), m_parameters.at(at.gate), m_gate.data());
    swiglu(c.d_ff, m_gate.data(), m_up.data(), hidden.data());
  } else {
    gelu(c.d_ff, m_up.data(), hidden.data());
  }
  linear({1, c.d_ff, c.d_model}, hidden.data(), m_parameters.at(at.down), m_x.data(), true);
}

template <class Real>
std::span<const Real> Decoder<Real>::read(std::int32_t token) {
  attended_keys(m_config, m_mask.get(), m_tokens, m_visible);
  m_position = m_tokens;
  return read_visible(token);
}

template <class Real>
std::span<const Real> Decoder<Real>::read(std::int32_t token, const Placed& placed) {
  assert(placed.position >= 0 && placed.position < m_length);
  masked_keys(m_config, placed.mask, placed.row, m_tokens, m_visible);
  // The cache does not hold tokens that are not read yet.
  for (Range& some : m_visible) some.end = std::min(some.end, m_tokens + 1);
  std::erase_if(m_visible, [](const Range& some) { return some.size() <= 0; });
  m_position = placed.position;
  return read_visible(token);
}

template <class Real>
std::span<const Real> Decoder<Real>::read_visible(std::int32_t token) {
  assert(m_tokens < m_length && token >= 0 && token < m_config.vocab);
  const auto& c = m_config;
  embed(token);
  for (std::size_t layer = 0; layer < m_layers.size(); ++layer) {
    if (c.gated()) {
      attend_gated(m_layers[layer], m_parameters.layout->layers[layer]);
      continue;
    }
    attend(m_layers[layer], m_parameters.layout->layers[layer]);
    transform(m_parameters.layout->layers[layer]);
  }
  Real r = 0;
  RmsNorm<Real>{1, c.d_model, static_cast<Real>(c.eps)}.forward(m_x.data(), m_parameters.at(m_parameters.layout->norm),
                                                                m_normed.data(), &r);
  linear({1, c.d_model, c.vocab}, m_normed.data(), m_parameters.at(m_parameters.layout->head), m_logits.data());
  ++m_tokens;
  return m_logits;
}

template class Decoder<float>;
template class Decoder<double>;

}  // namespace vqscope
