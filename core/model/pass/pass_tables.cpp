// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/pass_tables.h"

#include "core/model/attention/vq_keys.h"
#include "core/model/layer/layers.h"
#include "core/model/position/positions.h"

#include <numeric>

namespace vqscope {
namespace {

/// first, first + 1, ... of so many tokens.
std::vector<std::int32_t> positions_from(Index first, Index count) {
  std::vector<std::int32_t> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), static_cast<std::int32_t>(first));
  return positions;
}

std::vector<std::int32_t> positions_of(const Batch& batch) {
  if (!batch.position_ids.empty()) return {batch.position_ids.begin(), batch.position_ids.end()};
  return positions_from(batch.first, batch.length);
}

/// xPos scales by position, beyond the range of numbers in long sequences; only the distance matters.
std::vector<std::int32_t> rotary_positions(const TransformerConfig& config, const Batch& batch, Index kept) {
  if (!config.quantises()) return positions_of(batch);
  return positions_from(config.pos == PositionKind::xpos ? 0 : batch.first - kept, kept + batch.length);
}

template <class Real>
Index bias_tables(const TransformerConfig& config, const DistanceBias<Real>& bias) {
  if (bias.none()) return 0;
  return bias.shared() ? 1 : config.attention_layers();
}

}  // namespace

template <class Real>
PassTables<Real>::PassTables(const TransformerConfig& config, const Batch& batch, const Mask* mask, Index kept,
                             Index carried)
    : m_config(config),
      m_length(batch.length),
      m_kept(kept),
      m_distances(table_distances(config, batch.length, carried)),
      m_shared(batch.position_ids.empty()),
      m_indexed(config.quantises() || batch.first > 0),
      m_positions(positions_of(batch)),
      m_indices(positions_from(0, batch.length)),
      m_ranges(config, batch, mask, kept),
      m_distance_bias(config, batch.length, carried, batch.first),
      m_rotary(rotary_tables<Real>(config, rotary_positions(config, batch, kept))),
      m_far_rotary(far_rotary_tables<Real>(config)) {
  if (config.pos == PositionKind::sinusoidal)
    for (const double value : sinusoidal_encodings(config.d_model, m_positions))
      m_sinusoids.push_back(static_cast<Real>(value));
  m_biases.assign(static_cast<std::size_t>(bias_tables(config, m_distance_bias)),
                  std::vector<Real>(static_cast<std::size_t>(m_distance_bias.size())));
  if (config.pos == PositionKind::xl) {
    const double scale = distance_scale(config);
    for (const double value : distance_sinusoids(config, m_distances))
      m_distance_sinusoids.push_back(static_cast<Real>(scale * value));
    m_distance_keys.assign(static_cast<std::size_t>(config.attention_layers()),
                           std::vector<Real>(static_cast<std::size_t>(m_distances * config.query_width())));
  }
  if (config.quantises())
    m_codebooks.assign(static_cast<std::size_t>(config.attention_layers()),
                       std::vector<Real>(static_cast<std::size_t>(config.key_width() * config.n_code)));
}

template <class Real>
void PassTables<Real>::count(Arena& arena, const TransformerConfig& config, Index length, Index carried) {
  const DistanceBias<Real> bias(config, 1);  // only its kind is used, so any length will do
  const Index distances = table_distances(config, length, carried);
  arena.take<Real>({bias_tables(config, bias), config.n_heads, distances, bias.by_position() ? length : 1});
  if (config.pos == PositionKind::xl) {
    arena.take<Real>({distances, config.d_model});
    arena.take<Real>({config.attention_layers(), distances, config.query_width()});
  }
  if (config.quantises()) arena.take<Real>({config.attention_layers(), config.key_width(), config.n_code});
}

template <class Real>
void PassTables<Real>::update(const Parameters<Real>& parameters, int threads, const std::stop_token& stop) {
  for (std::size_t layer = 0; layer < m_biases.size(); ++layer)
    m_distance_bias.forward(parameters, static_cast<Index>(layer), m_biases[layer].data(), threads, stop);
  for (std::size_t layer = 0; layer < m_distance_keys.size(); ++layer)
    linear({m_distances, m_config.d_model, m_config.query_width()}, m_distance_sinusoids.data(),
           parameters.at(parameters.layout->layers[layer].xl_r), m_distance_keys[layer].data());
  const VqShape shape{m_length, m_config.n_kv_heads, m_config.head_dim, m_config.n_code};
  for (std::size_t layer = 0; layer < m_codebooks.size(); ++layer) {
    const LayerOffsets& at = parameters.layout->layers[layer];
    codebook_of(shape, parameters.at(at.codebook_sum), parameters.at(at.codebook_count), m_codebooks[layer].data());
  }
}

template <class Real>
const Real* PassTables<Real>::bias(Index layer) const {
  if (m_biases.empty()) return nullptr;
  return m_biases[m_biases.size() == 1 ? 0 : static_cast<std::size_t>(layer)].data();
}

template <class Real>
const Real* PassTables<Real>::distance_keys(Index layer) const {
  return m_distance_keys.empty() ? nullptr : m_distance_keys[static_cast<std::size_t>(layer)].data();
}

template <class Real>
std::span<const std::int32_t> PassTables<Real>::positions(Index row) const {
  const Index begin = m_shared ? 0 : row * m_length;
  return std::span(m_positions).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(m_length));
}

template <class Real>
std::size_t PassTables<Real>::rotary_row(Index row) const {
  const Index first = m_config.quantises() ? m_kept : m_shared ? 0 : row * m_length;
  return static_cast<std::size_t>(first * (m_config.head_dim / 2));
}

template <class Real>
const Real* PassTables<Real>::sinusoids(Index row) const {
  if (m_sinusoids.empty()) return nullptr;
  return m_sinusoids.data() + (m_shared ? 0 : row * m_length * m_config.d_model);
}

template class PassTables<float>;
template class PassTables<double>;

}  // namespace vqscope
