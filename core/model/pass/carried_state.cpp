// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/carried_state.h"

namespace vqscope {
namespace {

constexpr Index window_unit = 64;  // queries of a block of attention

Index rounded_up(Index n, Index unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

Index segment_unit(const TransformerConfig& config) {
  if (config.quantises()) return config.block_len;
  return config.attn == AttentionKind::xl ? config.segment : window_unit;
}

Index carried_tokens(const TransformerConfig& config) {
  if (config.rerope_window > 0) return 0;
  const Index unit = segment_unit(config);
  if (config.quantises()) return unit;
  if (config.attn == AttentionKind::window) return rounded_up(config.window, unit);
  return config.attn == AttentionKind::xl ? rounded_up(std::max<Index>(1, config.memory), unit) : 0;
}

template <class Real>
CarriedState<Real>::CarriedState(const TransformerConfig& config, Index rows)
    : m_rows(rows), m_most(carried_tokens(config)) {
  const auto heads = static_cast<std::size_t>(config.quantises() && config.cache ? config.n_kv_heads : 0);
  for (auto& keys : m_keys)
    keys.assign(static_cast<std::size_t>(config.attention_layers() * rows),
                CarriedKeys<Real>{.totals = std::vector<CodeTotals>(heads)});
}

template <class Real>
void CarriedState<Real>::advance(Index tokens) {
  m_tokens += tokens;
  m_now = 1 - m_now;
}

template <class Real>
double CarriedState<Real>::bytes(const TransformerConfig& config, Index rows) {
  const auto real = [](Index n) { return static_cast<double>(n); };
  const double keys = sizeof(Real) * real(config.key_width() + config.value_width()) + 4 * real(config.n_kv_heads);
  const double of_code = sizeof(Index) + sizeof(double) * real(config.value_dim());
  const double codes = config.quantises() ? real(config.n_kv_heads * config.n_code) * of_code : 0;
  return 2 * real(config.attention_layers()) * real(rows) * (real(carried_tokens(config)) * keys + codes);
}

template class CarriedState<float>;
template class CarriedState<double>;

}  // namespace vqscope
