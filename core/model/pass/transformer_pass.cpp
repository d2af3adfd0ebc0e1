// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/transformer_pass.h"

#include "core/base/guard.h"
#include "core/base/parallel.h"
#include "core/base/sentence.h"
#include "core/model/attention/vq_keys.h"
#include "core/model/position/positions.h"

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

/// Largest number of parts of a batch, whatever the number of threads; each has its own gradients.
constexpr Index most_parts = 8;

}  // namespace

template <class Real>
Result<std::unique_ptr<TransformerPass<Real>>> TransformerPass<Real>::create(
    const TransformerConfig& config, std::shared_ptr<const ParameterLayout> layout, Index rows, Index length, Keep keep,
    Index carried) {
  assert(rows > 0 && length > 0);
  assert(carried == 0 || keep != Keep::everything);
  return guarded([&]() -> Result<std::unique_ptr<TransformerPass>> {
    std::unique_ptr<TransformerPass> pass(new TransformerPass(config, std::move(layout), rows, length, keep, carried));
    if (auto reserved = pass->reserve(); !reserved) return reserved.error();
    auto mask = model_mask(config, length);
    if (!mask) return mask.error();
    pass->m_mask = std::move(*mask);
    return pass;
  });
}

namespace {

/// The rows of each part.
std::vector<Range> parts_of(Index rows) {
  const Index count = std::min(rows, most_parts);
  std::vector<Range> parts;
  for (Index i = 0; i < count; ++i) parts.push_back({i * rows / count, (i + 1) * rows / count});
  return parts;
}

ActivationShape shape_of(const TransformerConfig& config, Index rows, Index length, Index learnt, Keep keep,
                         Index carried) {
  return {.rows = rows,
          .length = length,
          .block = attention_block(config, length, carried),
          .columns = attention_columns(config, length, keep, carried),
          .learnt = learnt,
          .carried = carried,
          .states = config.compresses() ? compressive_shape(config, length).all_states() : 0,
          .keep = keep};
}

}  // namespace

template <class Real>
std::uint64_t TransformerPass<Real>::bytes(const TransformerConfig& config, const ParameterLayout& layout, Index rows,
                                           Index length, Keep keep, Index carried) {
  Arena tables;
  PassTables<Real>::count(tables, config, length, carried);
  std::uint64_t sum = tables.bytes();
  for (const Range& some : parts_of(rows)) {
    Arena arena;
    lay_out<Real>(arena, config, shape_of(config, some.size(), length, layout.learnt, keep, carried));
    if (__builtin_add_overflow(sum, arena.bytes(), &sum)) return std::numeric_limits<std::uint64_t>::max();
  }
  return sum;
}

template <class Real>
Result<void> TransformerPass<Real>::reserve() {
  for (const Range& some : parts_of(m_rows)) {
    Part& part = m_parts.emplace_back();
    part.rows = some;
    const ActivationShape shape = shape_of(m_config, some.size(), m_length, m_layout->learnt, m_keep, m_carried);
    lay_out<Real>(part.arena, m_config, shape);
    if (auto reserved = part.arena.reserve(); !reserved) return reserved;
    part.a = lay_out<Real>(part.arena, m_config, shape);
  }
  return {};
}

template <class Real>
Result<void> TransformerPass<Real>::check(const Batch& batch, bool gradient) const {
  if (batch.rows != m_rows || batch.length != m_length)
    return invalid("the batch has the shape {} but must have {}", shape_text({batch.rows, batch.length}),
                   shape_text({m_rows, m_length}));
  if (gradient && m_config.rerope_window > 0)
    return invalid("rerope_window is {} but must be 0 for gradients: ReRoPE is for evaluation", m_config.rerope_window);
  assert(!gradient || m_keep != Keep::logits);
  if (attends_by_codes(m_config, m_length, m_keep, m_carried) && !batch.is_plain())
    return invalid("the batch has documents or padding but must have neither for VQ attention in linear time");
  if (m_config.recalls() && !(batch.doc_ids.empty() && batch.pad_mask.empty()))
    return invalid(
        "the batch has documents or padding but must have neither for attention that recalls earlier segments");
  if (auto checked = check_batch(m_config, batch); !checked) return checked;
  if (m_config.quantises()) return check_xpos_range<Real>(m_config, m_carried + batch.length - 1);
  return check_xpos_range<Real>(
      m_config, batch.position_ids.empty() ? batch.first + batch.length - 1 : std::ranges::max(batch.position_ids));
}

template <class Real>
void TransformerPass<Real>::look_up(const Parameters<Real>& parameters, const Batch& batch, int threads) {
  const bool plain = batch.is_plain() && batch.position_ids.empty();
  if (!m_tables || !plain || !m_plain_tables || batch.first != m_tables_first)
    m_tables =
        std::make_unique<PassTables<Real>>(m_config, batch, m_mask.get(), m_state ? m_state->kept() : 0, m_carried);
  m_plain_tables = plain;
  m_tables_first = batch.first;
  m_tables->update(parameters, threads, m_stop);
}

template <class Real>
Result<Losses> TransformerPass<Real>::run(const Parameters<Real>& parameters, const Batch& batch,
                                          Parameters<Real>* gradient, int threads, const std::stop_token& stop,
                                          const TrainingNoise* noise) {
  return guarded([&]() -> Result<Losses> {
    if (auto checked = check(batch, gradient != nullptr); !checked) return checked.error();
    assert(!noise || gradient);
    m_stop = stop;
    m_noise = noise;
    m_left_out.resize(static_cast<std::size_t>(m_config.attention_layers()));
    for (Index layer = 0; layer < m_config.attention_layers(); ++layer)
      m_left_out[static_cast<std::size_t>(layer)] = noise && noise->drops_layer(layer);
    look_up(parameters, batch, threads);
    Losses losses{.counted = counted_labels(batch)};
    const double counted = static_cast<double>(std::max<Index>(1, losses.counted));
    const double tokens = static_cast<double>(batch.tokens_count());
    const Scales scales{static_cast<Real>(1 / counted), static_cast<Real>(m_config.commit_beta / tokens)};
    parallel_for(static_cast<Index>(m_parts.size()), threads, [&](Index i) {
      if (stop.stop_requested()) return;
      Part& part = m_parts[static_cast<std::size_t>(i)];
      forward(parameters, batch, part);
      if (gradient && !stop.stop_requested()) backward(parameters, batch, scales, part);
    });
    if (stop.stop_requested()) return cancelled();
    for (const Part& part : m_parts) losses.ce_loss += part.ce / counted;
    if (m_config.quantises()) sum_layers(tokens, losses);
    losses.loss = losses.ce_loss + m_config.commit_beta * losses.commit_loss;
    if (gradient) sum_gradients(*gradient);
    return losses;
  });
}

template <class Real>
Result<Losses> TransformerPass<Real>::run_segment(const Parameters<Real>& parameters, Batch batch,
                                                  CarriedState<Real>& state, Parameters<Real>* gradient, int threads,
                                                  const std::stop_token& stop, const TrainingNoise* noise) {
  assert(m_carried > 0 && state.rows() == batch.rows && state.tokens() % segment_unit(m_config) == 0);
  assert(!gradient || m_config.quantises());
  if (!batch.is_plain() || !batch.position_ids.empty())
    return invalid("the batch has documents, padding, masks or positions but must have none for a segment");
  if (noise && noise->layerdrop > 0)
    return invalid("layerdrop is {} but must be 0 for segments of a sequence: a layer that is left out keeps no keys",
                   plain_text(noise->layerdrop));
  batch.first = state.tokens();
  m_state = &state;
  auto losses = run(parameters, batch, gradient, threads, stop, noise);
  m_state = nullptr;
  if (losses) state.advance(batch.length);
  return losses;
}

/// In the order of the parts.
template <class Real>
void TransformerPass<Real>::sum_layers(double tokens, Losses& losses) const {
  const auto layers = static_cast<std::size_t>(m_config.attention_layers());
  losses.commit_layers.resize(layers);
  if (m_config.cache && losses.counted > 0) losses.cache_shares.resize(layers);
  const double weights = static_cast<double>(m_config.n_heads * losses.counted);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    LayerSums all;
    for (const Part& part : m_parts) {
      all.commit += part.sums[layer].commit / tokens;
      all.on_cache += part.sums[layer].on_cache;
    }
    losses.commit_loss += losses.commit_layers[layer] = all.commit;
    if (losses.cache_shares.empty()) continue;
    losses.cache_shares[layer] = m_left_out[layer] ? std::numeric_limits<double>::quiet_NaN() : all.on_cache / weights;
  }
}

/// In the order of the parts.
template <class Real>
void TransformerPass<Real>::sum_gradients(Parameters<Real>& gradient) const {
  std::fill(gradient.values.begin(), gradient.values.end(), Real{0});
  for (const Part& part : m_parts)
    for (Index i = 0; i < m_layout->learnt; ++i) gradient.values[static_cast<std::size_t>(i)] += part.a.d.parameters[i];
}

template <class Real>
void TransformerPass<Real>::update_codebooks(Parameters<Real>& parameters) const {
  const auto& c = m_config;
  const VqShape shape{m_length, c.n_kv_heads, c.head_dim, c.n_code};
  const auto codes = static_cast<std::size_t>(c.n_kv_heads * c.n_code);
  for (Index layer = 0; layer < c.attention_layers() && c.quantises(); ++layer) {
    if (m_left_out[static_cast<std::size_t>(layer)]) continue;
    std::vector<double> counts(codes), sums(codes * static_cast<std::size_t>(c.head_dim));
    for (const Part& part : m_parts)
      for (Index row = 0; row < part.rows.size(); ++row) {
        const auto& l = part.a.layers[static_cast<std::size_t>(layer)];
        add_code_statistics(shape, l.k + row * m_length * shape.width(), l.codes + row * m_length * shape.heads,
                            counts.data(), sums.data());
      }
    const auto average = [&](Index offset, const std::vector<double>& latest) {
      for (const double value : latest) {
        Real& kept = parameters.values[static_cast<std::size_t>(offset++)];
        kept = static_cast<Real>(c.ema_gamma * static_cast<double>(kept) + (1 - c.ema_gamma) * value);
      }
    };
    average(m_layout->layers[static_cast<std::size_t>(layer)].codebook_count, counts);
    average(m_layout->layers[static_cast<std::size_t>(layer)].codebook_sum, sums);
  }
}

template <class Real>
std::vector<double> TransformerPass<Real>::used_codes() const {
  std::vector<double> fractions;
  for (Index layer = 0; layer < m_config.attention_layers() && m_config.quantises(); ++layer) {
    if (m_left_out[static_cast<std::size_t>(layer)]) {
      fractions.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    std::vector<bool> used(static_cast<std::size_t>(m_config.n_kv_heads * m_config.n_code));
    for (Index row = 0; row < m_rows; ++row) {
      const auto of_row = codes(layer, row);
      for (std::size_t i = 0; i < of_row.size(); ++i)
        used[i / static_cast<std::size_t>(m_length) * static_cast<std::size_t>(m_config.n_code) +
             static_cast<std::size_t>(of_row[i])] = true;
    }
    fractions.push_back(static_cast<double>(std::ranges::count(used, true)) / static_cast<double>(used.size()));
  }
  return fractions;
}

template <class Real>
const typename TransformerPass<Real>::Part& TransformerPass<Real>::part_of(Index row) const {
  return *std::ranges::find_if(m_parts, [&](const Part& part) { return part.rows.contains(row); });
}

template <class Real>
std::span<const Real> TransformerPass<Real>::logits(Index row) const {
  const Part& part = part_of(row);
  const Index size = m_length * m_config.vocab;
  return {part.a.logits + (row - part.rows.begin) * size, static_cast<std::size_t>(size)};
}

template <class Real>
std::vector<Real> TransformerPass<Real>::weights(Index layer, Index row, Index head, Index query) const {
  assert(m_keep == Keep::everything);
  const Part& part = part_of(row);
  const Index columns = attention_columns(m_config, m_length, m_keep);
  const Real* from = part.a.layers[static_cast<std::size_t>(layer)].weights +
                     (((row - part.rows.begin) * m_config.n_heads + head) * m_length + query) * columns;
  const AttentionShape shape{.length = m_length,
                             .block = attention_block(m_config, m_length),
                             .segment = m_config.in_segments() ? m_config.segment : 0};
  const Index first = m_tables->ranges().span_of(row, shape.block_of(query)).begin;
  std::vector<Real> p(static_cast<std::size_t>(m_length));
  for (const Range& some : m_tables->ranges().of(row, query))
    std::copy(from + (some.begin - first), from + (some.end - first), p.begin() + some.begin);
  return p;
}

template <class Real>
std::span<const Real> TransformerPass<Real>::tokens_of(Real* LayerActivations<Real>::*array, Index layer, Index row,
                                                       Index width) const {
  assert(m_keep != Keep::logits);
  const Part& part = part_of(row);
  const Index size = m_length * width;
  return {part.a.layers[static_cast<std::size_t>(layer)].*array + (row - part.rows.begin) * size,
          static_cast<std::size_t>(size)};
}

template <class Real>
std::span<const Real> TransformerPass<Real>::queries(Index layer, Index row) const {
  return tokens_of(&LayerActivations<Real>::q, layer, row, m_config.query_width());
}

template <class Real>
std::span<const Real> TransformerPass<Real>::keys(Index layer, Index row) const {
  return tokens_of(&LayerActivations<Real>::k, layer, row, m_config.key_width());
}

template <class Real>
std::span<const Real> TransformerPass<Real>::values(Index layer, Index row) const {
  return tokens_of(&LayerActivations<Real>::v, layer, row, m_config.value_width());
}

template <class Real>
std::span<const Real> TransformerPass<Real>::codebook(Index layer) const {
  if (!m_config.quantises()) return {};
  return {m_tables->codebook(layer), static_cast<std::size_t>(m_config.key_width() * m_config.n_code)};
}

template <class Real>
std::span<const std::int32_t> TransformerPass<Real>::codes(Index layer, Index row) const {
  if (!m_config.quantises()) return {};
  const Part& part = part_of(row);
  const Index size = m_config.n_kv_heads * m_length;
  return {part.a.layers[static_cast<std::size_t>(layer)].codes + (row - part.rows.begin) * size,
          static_cast<std::size_t>(size)};
}

template <class Real>
std::span<const std::int32_t> TransformerPass<Real>::retrieved(Index layer, Index row) const {
  assert(m_keep != Keep::logits);
  if (m_config.attn != AttentionKind::memorizing || !m_config.recalls(layer)) return {};
  const Part& part = part_of(row);
  const Index size = m_config.n_heads * m_length * m_config.top_k;
  return {part.a.layers[static_cast<std::size_t>(layer)].retrieved + (row - part.rows.begin) * size,
          static_cast<std::size_t>(size)};
}

template <class Real>
std::span<const Real> TransformerPass<Real>::retrieved_weights(Index layer, Index row) const {
  const std::size_t size = retrieved(layer, row).size();
  const Part& part = part_of(row);
  return {part.a.layers[static_cast<std::size_t>(layer)].retrieved_weights +
              (row - part.rows.begin) * static_cast<Index>(size),
          size};
}

template <class Real>
std::span<const Real> TransformerPass<Real>::memory_state(Index layer, Index row, Index kv_head, Index segment) const {
  assert(m_keep != Keep::logits);
  if (!m_config.compresses()) return {};
  const CompressiveShape shape = compressive_shape(m_config, m_length);
  const Part& part = part_of(row);
  return {part.a.layers[static_cast<std::size_t>(layer)].states + (row - part.rows.begin) * shape.all_states() +
              shape.place(kv_head, segment),
          static_cast<std::size_t>(shape.state_size())};
}

template class TransformerPass<float>;
template class TransformerPass<double>;

}  // namespace vqscope
