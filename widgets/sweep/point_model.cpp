// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/point_model.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QColor>

#include <algorithm>

namespace vqscope {
namespace {

bool isFinished(PointState state) { return state == PointState::found || state == PointState::computed; }

QString stateWords(const PointReport& point) {
  switch (point.state) {
    case PointState::waiting: return PointModel::tr("waiting");
    case PointState::running:
      return point.fraction > 0 ? PointModel::tr("running, %1 %").arg(static_cast<int>(100 * point.fraction))
                                : PointModel::tr("running");
    case PointState::found: return PointModel::tr("done before");
    case PointState::computed: return PointModel::tr("done");
    case PointState::failed: break;
  }
  return PointModel::tr("failed: %1").arg(text(point.sentence));
}

QVariant stateColour(PointState state) {
  const Palette& colours = currentPalette();
  switch (state) {
    case PointState::waiting: return colours.secondary;
    case PointState::failed: return colours.error;
    case PointState::found:
    case PointState::computed: return colours.good;
    case PointState::running: break;
  }
  return {};
}

}  // namespace

void PointModel::setSweep(std::shared_ptr<const Sweep> sweep, const std::vector<std::optional<double>>& finished) {
  beginResetModel();
  m_sweep = std::move(sweep);
  m_points.clear();
  m_totals = {};
  for (const auto& seconds : finished) {
    PointReport point{.point = static_cast<Index>(m_points.size())};
    if (seconds) point.state = PointState::found;
    point.seconds = seconds.value_or(0);
    count(point, 1);
    m_points.push_back(std::move(point));
  }
  m_totals.points = static_cast<Index>(m_points.size());
  addUp();
  endResetModel();
}

void PointModel::count(const PointReport& point, int times) {
  if (point.state == PointState::failed) m_totals.failed += times;
  if (isFinished(point.state)) m_totals.finished += times;
  if (point.state == PointState::computed) m_totals.computed += times;
}

void PointModel::set(const PointReport& report) {
  PointReport& point = m_points[static_cast<std::size_t>(report.point)];
  count(point, -1);
  point = report;
  count(point, 1);
}

void PointModel::addUp() {
  double done = static_cast<double>(m_totals.finished + m_totals.failed);
  for (const auto& point : m_points)
    if (point.state == PointState::running) done += point.fraction;
  m_totals.fraction = m_points.empty() ? 0 : done / static_cast<double>(m_points.size());
}

void PointModel::take(const std::map<Index, PointReport>& updates) {
  if (updates.empty() || m_points.empty()) return;
  for (const auto& [index, report] : updates) set(report);
  addUp();
  emit dataChanged(index(static_cast<int>(updates.begin()->first), 0),
                   index(static_cast<int>(updates.rbegin()->first), columnCount() - 1));
}

void PointModel::rest() {
  std::map<Index, PointReport> updates;
  for (const auto& point : m_points)
    if (point.state == PointState::running || point.state == PointState::failed)
      updates[point.point] = {.point = point.point};
  take(updates);
}

std::vector<Index> PointModel::unfinished() const {
  std::vector<Index> points;
  for (const auto& point : m_points)
    if (!isFinished(point.state)) points.push_back(point.point);
  return points;
}

std::optional<int> PointModel::firstOf(PointState state) const {
  const auto found = std::ranges::find(m_points, state, &PointReport::state);
  return found == m_points.end() ? std::nullopt : std::optional(static_cast<int>(found->point));
}

int PointModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_points.size());
}

int PointModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_sweep ? 0 : stateColumn() + 2;
}

QString PointModel::words(int row, int column) const {
  const PointReport& point = m_points[static_cast<std::size_t>(row)];
  if (column == 0) return text(grouped(Index{row} + 1));
  if (column == stateColumn()) return stateWords(point);
  if (column > stateColumn()) return isFinished(point.state) ? text(to_text(point.seconds, 3)) : QString();
  return text(shortened(format_value(varied_value(*m_sweep, row, static_cast<std::size_t>(column - 1)))));
}

QString PointModel::tip(int row, int column) const {
  if (column == 0) return tr("ID %1").arg(text(sweep_point(*m_sweep, row).id));
  return words(row, column);
}

QVariant PointModel::alignment(int column) const {
  return QVariant(Qt::AlignVCenter | (column > stateColumn() ? Qt::AlignRight : Qt::AlignLeft));
}

QVariant PointModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int row = index.row(), column = index.column();
  switch (role) {
    case Qt::DisplayRole: return words(row, column);
    case Qt::ToolTipRole: return tip(row, column);
    case Qt::TextAlignmentRole: return alignment(column);
    case Qt::ForegroundRole: return column == stateColumn() ? stateColour(point(row).state) : QVariant();
    case fractionRole:
      if (column == stateColumn() && point(row).state == PointState::running) return point(row).fraction;
      return {};
    default: return {};
  }
}

QVariant PointModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || !m_sweep) return {};
  if (role == Qt::TextAlignmentRole) return alignment(section);
  if (role != Qt::DisplayRole) return {};
  if (section == 0) return tr("Point");
  if (section == stateColumn()) return tr("State");
  if (section > stateColumn()) return tr("Seconds");
  return text(m_sweep->varied[static_cast<std::size_t>(section - 1)].name);
}

}  // namespace vqscope
