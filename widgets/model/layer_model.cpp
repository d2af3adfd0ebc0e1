// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/layer_model.h"

#include "core/base/text.h"
#include "core/schedule/cache/layer_cache.h"
#include "widgets/model/layer_words.h"
#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"

#include <algorithm>

namespace vqscope {

void LayerModel::setSchedule(LayerSchedule schedule) {
  beginResetModel();
  m_schedule = std::move(schedule);
  arrange();
  endResetModel();
}

void LayerModel::setTokens(Index tokens) {
  if (tokens == m_tokens) return;
  m_tokens = tokens;
  if (!m_rows.empty()) emit dataChanged(index(0, mask), index(rowCount() - 1, cache));
}

void LayerModel::setFolded(bool folded) {
  if (folded == m_folded) return;
  beginResetModel();
  m_folded = folded;
  arrange();
  endResetModel();
}

void LayerModel::arrange() {
  m_rows.clear();
  const auto& layers = m_schedule.layers;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (m_folded && i > 0 && layers[i] == layers[i - 1])
      ++m_rows.back().end;
    else
      m_rows.push_back({static_cast<Index>(i), static_cast<Index>(i) + 1});
  }
}

int LayerModel::rowOf(Index layer) const {
  const auto row = std::ranges::find_if(m_rows, [&](Range each) { return each.contains(layer); });
  return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

bool LayerModel::isEmpty(Column column) const {
  for (int row = 0; row < rowCount(); ++row)
    if (words(row, column) != QStringLiteral("–")) return false;
  return true;
}

const ModelLayer& LayerModel::layerAt(int row) const {
  return m_schedule.layers[static_cast<std::size_t>(layersOf(row).begin)];
}

QString LayerModel::words(int row, Column column) const {
  const ModelLayer& layer = layerAt(row);
  const Range layers = layersOf(row);
  switch (column) {
    case number:
      return layers.size() == 1 ? QString::number(layers.begin)
                                : QStringLiteral("%1–%2").arg(layers.begin).arg(layers.end - 1);
    case mask: return maskWords(layer);
    case position: return positionWords(m_schedule, layer);
    case theta: return thetaWords(m_schedule, layer);
    case scaling: return scalingWords(m_schedule, layer);
    case rotated: return rotatedWords(m_schedule, layer);
    case extra: return extraWords(layer);
    case cache: {
      const QString one = cacheWords(layer, m_tokens);
      return layers.size() == 1 || !one[0].isDigit() ? one : QStringLiteral("%1 × %2").arg(layers.size()).arg(one);
    }
    case columns: break;
  }
  return {};
}

int LayerModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LayerModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant LayerModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole: return words(index.row(), column);
    case Qt::ToolTipRole: return layerTip(m_schedule, layersOf(index.row()).begin, m_tokens);
    case Qt::AccessibleTextRole:
      return headerData(column, Qt::Horizontal, role).toString() + QLatin1Char(' ') + words(index.row(), column);
    case Qt::FontRole:
      return column == theta || column == cache || column == number ? QVariant(monospaceFont()) : QVariant();
    case Qt::TextAlignmentRole:
      return static_cast<int>((column == theta || column == cache ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case layerRole: return QVariant::fromValue(static_cast<const void*>(&layerAt(index.row())));
    default: return {};
  }
}

QVariant LayerModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section == theta || section == cache ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == cache)
    return tr("Keys and values that the layer keeps of %1 tokens, 2 bytes a number").arg(text(grouped(m_tokens)));
  if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  switch (section) {
    case number: return tr("layer");
    case mask: return tr("mask");
    case position: return tr("position");
    case theta: return tr("theta");
    case scaling: return tr("scaling");
    case rotated: return tr("rotated");
    case extra: return tr("also");
    case cache: return tr("cache");
    default: return {};
  }
}

}  // namespace vqscope
