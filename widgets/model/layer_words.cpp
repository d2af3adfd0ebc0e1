// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/layer_words.h"

#include "core/base/text.h"
#include "core/schedule/cache/layer_cache.h"
#include "widgets/parts/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace vqscope {
namespace {

const QString nothing = QStringLiteral("–");

QString tr(const char* words) { return QCoreApplication::translate("LayerTable", words); }

const RopeScaling* scalingOf(const LayerSchedule& schedule, const ModelLayer& layer) {
  return layer.rope < 0 ? nullptr : &schedule.ropes[static_cast<std::size_t>(layer.rope)].scaling;
}

QString number(double value) {
  constexpr double exact = 9007199254740992;  // 2^53: whole numbers up to it fit into an Index
  const bool whole = std::abs(value) <= exact && value == std::floor(value);
  return text(whole ? grouped(static_cast<Index>(value)) : to_text(value, 6));
}

/// "sparse, top 2 048": what a query reads beside the window.
QString selectionWords(const ModelLayer& layer, QString words) {
  if (layer.topk > 0) words += tr(", top %1").arg(text(grouped(layer.topk)));
  if (layer.window > 0) words += tr(", window %1").arg(text(grouped(layer.window)));
  return words;
}

}  // namespace

QString maskWords(const ModelLayer& layer) {
  QString words;
  switch (layer.attention) {
    case LayerAttention::full: words = tr("full"); break;
    case LayerAttention::sliding: words = tr("window %1").arg(text(grouped(layer.window))); break;
    case LayerAttention::chunked: words = tr("chunk %1").arg(text(grouped(layer.window))); break;
    case LayerAttention::state: words = tr("state"); break;
    case LayerAttention::sparse: words = selectionWords(layer, tr("sparse")); break;
    case LayerAttention::compressed:
      words = selectionWords(layer, tr("compressed 1:%1").arg(text(grouped(layer.compress_ratio))));
      break;
    case LayerAttention::none: words = tr("no mixing"); break;
  }
  return layer.two_sided ? words + tr(", both sides") : words;
}

QString positionWords(const LayerSchedule& schedule, const ModelLayer& layer) {
  if (layer.rope >= 0)
    return schedule.ropes[static_cast<std::size_t>(layer.rope)].pair_layout == PairLayout::interleaved
               ? tr("RoPE pairs")
               : tr("RoPE half");
  if (layer.positions == "none") return tr("none (NoPE)");
  return layer.positions.empty() ? nothing : text(layer.positions);
}

QString thetaWords(const LayerSchedule& schedule, const ModelLayer& layer) {
  const RopeScaling* scaling = scalingOf(schedule, layer);
  return scaling ? number(scaling->rope_theta) : nothing;
}

QString scalingWords(const LayerSchedule& schedule, const ModelLayer& layer) {
  const RopeScaling* scaling = scalingOf(schedule, layer);
  if (!scaling || scaling->rope_type == "default") return nothing;
  const bool factor = rope_type(scaling->rope_type).reads("factor");
  return text(scaling->rope_type) + (factor ? QLatin1Char(' ') + number(scaling->factor) : QString());
}

QString rotatedWords(const LayerSchedule& schedule, const ModelLayer& layer) {
  const RopeScaling* scaling = scalingOf(schedule, layer);
  if (!scaling || scaling->rotated() == scaling->head_dim) return nothing;
  return tr("%1 of %2").arg(scaling->rotated()).arg(scaling->head_dim);
}

QString extraWords(const ModelLayer& layer) {
  QStringList words;
  if (layer.sink) words << tr("sink");
  if (layer.temperature) words << tr("temperature %1").arg(number(layer.temperature->scale));
  if (layer.shares_kv_with >= 0) words << tr("KV of layer %1").arg(layer.shares_kv_with);
  if (layer.latent > 0) words << tr("latent %1").arg(layer.latent);
  return words.isEmpty() ? nothing : words.join(QStringLiteral(", "));
}

QString cacheWords(const ModelLayer& layer, Index tokens) {
  if (layer.shares_kv_with >= 0) return tr("shared");
  if (layer.attention == LayerAttention::none) return nothing;
  return knows_cache(layer) ? text(byte_count(cache_bytes(layer, tokens, {}))) : QStringLiteral("?");
}

QString layerTip(const LayerSchedule& schedule, Index index, Index tokens) {
  const ModelLayer& layer = schedule.layers[static_cast<std::size_t>(index)];
  QStringList lines{tr("Layer %1: %2").arg(index).arg(maskWords(layer)),
                    tr("Positions: %1").arg(positionWords(schedule, layer))};
  if (const RopeScaling* scaling = scalingOf(schedule, layer))
    lines << tr("theta %1, scaling %2, %3 of %4 dimensions rotated")
                 .arg(number(scaling->rope_theta), text(scaling->rope_type))
                 .arg(scaling->rotated())
                 .arg(scaling->head_dim);
  if (layer.temperature)
    lines << tr("Queries × 1 + %1 · ln(1 + ⌊(p + %2) / %3⌋)")
                 .arg(number(layer.temperature->scale))
                 .arg(layer.temperature->offset)
                 .arg(layer.temperature->floor);
  if (const QString extra = extraWords(layer); extra != nothing) lines << extra;
  if (layer.num_key_value_heads > 0)
    lines << tr("%1 key/value heads of %2 dimensions").arg(layer.num_key_value_heads).arg(layer.head_dim);
  if (layer.index_dim > 0) lines << tr("Indexer: %1 numbers for each entry").arg(layer.index_dim);
  if (selects_keys(layer)) lines << tr("Which earlier keys a query reads depends on the text");
  lines << tr("Cache at %1 tokens, 2 bytes a number: %2").arg(text(grouped(tokens)), cacheWords(layer, tokens));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace vqscope
