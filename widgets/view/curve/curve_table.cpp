// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve/curve_table.h"

#include "core/base/index.h"
#include "core/base/text.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"

#include <QAbstractTableModel>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr int shownDigits = 7;     // as in readouts
constexpr int columnPadding = 14;  // pixels beside a column
constexpr int padding = 16;        // padding of cells and titles in the style
constexpr int measuredRows = 200;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Column {
  QString title;
  QString tip;
  std::vector<double> values;
  std::vector<QString> names = {};  ///< of all values, in their place; empty: they are numbers
};

/// Columns of every curve and of published values.
std::vector<double> allX(const CurveSet& set) {
  std::vector<double> all = set.x;
  if (set.published)
    for (const auto& series : set.published->series) all.insert(all.end(), series.x.begin(), series.x.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// NaN if it has no value.
std::vector<double> spread(const std::vector<double>& x, const std::vector<double>& y,
                           const std::vector<double>& over) {
  if (x == over && y.size() == over.size()) return y;
  std::vector<double> values(over.size(), none);
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    values[static_cast<std::size_t>(std::ranges::lower_bound(over, x[i]) - over.begin())] = y[i];
  return values;
}

std::vector<Column> columnsOf(const CurveSet& set) {
  std::vector<Column> columns{{text(set.x_title), text(set.x_name), allX(set)}};
  for (const std::string& name : set.x_names) columns.front().names.push_back(text(name));
  const std::vector<double>& x = columns.front().values;
  std::vector<Column> further;
  for (const Curve& curve : set.curves)
    further.push_back({text(curve.name), text(set.y_title), spread(set.x, curve.y, x)});
  if (set.published)
    for (const auto& series : set.published->series)
      further.push_back({QObject::tr("%1 (published)").arg(text(series.name)), text(set.published->source),
                         spread(series.x, series.y, x)});
  std::ranges::move(further, std::back_inserter(columns));
  return columns;
}

}  // namespace

class CurveTableModel : public QAbstractTableModel {
 public:
  using QAbstractTableModel::QAbstractTableModel;

  void setCurves(const CurveSet& curves) {
    beginResetModel();
    m_columns = columnsOf(curves);
    endResetModel();
  }

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() || m_columns.empty() ? 0 : static_cast<int>(m_columns.front().values.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
  }

  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::ToolTipRole) return {};
    const Column& shown = column(index.column());
    if (!shown.names.empty()) return shown.names[static_cast<std::size_t>(index.row())];
    const double value = shown.values[static_cast<std::size_t>(index.row())];
    if (std::isnan(value)) return QString();
    return text(role == Qt::DisplayRole ? to_text(value, shownDigits) : to_text(value));
  }

  /// Copies and tooltips have all digits, for which the columns have no space.
  QString copied(const QItemSelectionRange& cells) const {
    return copied({cells.left(), cells.right() + 1}, {cells.top(), cells.bottom() + 1});
  }
  QString copied(Range columns, Range rows) const {
    std::string all;
    const auto addLine = [&](const auto& word) {
      for (int column = static_cast<int>(columns.begin); column < columns.end; ++column) {
        if (column > columns.begin) all += '\t';
        all += word(column);
      }
      all += '\n';
    };
    addLine([&](int index) { return column(index).title.toStdString(); });
    for (Index row = rows.begin; row < rows.end; ++row)
      addLine([&](int index) {
        const Column& shown = column(index);
        if (!shown.names.empty()) return shown.names[static_cast<std::size_t>(row)].toStdString();
        const double value = shown.values[static_cast<std::size_t>(row)];
        return std::isnan(value) ? std::string() : to_text(value);
      });
    return text(all);
  }

  /// The number of characters of the longest number in a sample of the column.
  int longestNumber(int index) const {
    const auto& values = column(index).values;
    const std::size_t step = std::max<std::size_t>(1, values.size() / measuredRows);
    std::size_t longest = 1;
    for (const QString& name : column(index).names) longest = std::max(longest, static_cast<std::size_t>(name.size()));
    for (std::size_t i = 0; i < values.size(); i += step)
      if (!std::isnan(values[i])) longest = std::max(longest, to_text(values[i], shownDigits).size());
    return static_cast<int>(longest);
  }

  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole) return column(section).title;
    if (role == Qt::ToolTipRole) return column(section).tip;
    return {};
  }

 private:
  const Column& column(int index) const { return m_columns[static_cast<std::size_t>(index)]; }

  std::vector<Column> m_columns;
};

CurveTable::CurveTable(QWidget* parent) : QTableView(parent), m_model(new CurveTableModel(this)) {
  setModel(m_model);
  setFont(monospaceFont());
  setFrameShape(QFrame::NoFrame);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setSelectionMode(QAbstractItemView::ContiguousSelection);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void CurveTable::setCurves(const CurveSet& curves) {
  m_model->setCurves(curves);
  // Digits have equal widths; measuring each cell with the style would be slow.
  const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  const QFontMetrics titles = horizontalHeader()->fontMetrics();
  for (int column = 0; column < m_model->columnCount(); ++column) {
    const int title = titles.horizontalAdvance(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    setColumnWidth(column, std::max(title, digit * m_model->longestNumber(column)) + padding + columnPadding);
  }
}

QString CurveTable::selectedText() const {
  const QItemSelection selection = selectionModel()->selection();
  if (selection.isEmpty()) return {};
  return m_model->copied(selection.first());
}

QString CurveTable::allText() const { return m_model->copied({0, m_model->columnCount()}, {0, m_model->rowCount()}); }

QString CurveTable::rowText() const {
  const Index row = currentIndex().row();
  return row < 0 ? QString() : m_model->copied({0, m_model->columnCount()}, {row, row + 1});
}

QString CurveTable::cellText() const {
  return currentIndex().isValid() ? m_model->data(currentIndex(), Qt::EditRole).toString() : QString();
}

namespace {

TextTable asTable(const CurveSet& curves) {
  CurveTableModel model;
  model.setCurves(curves);
  TextTable table;
  for (int column = 0; column < model.columnCount(); ++column)
    table.titles.push_back(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString());
  for (int row = 0; row < model.rowCount(); ++row) {
    auto& cells = table.rows.emplace_back();
    for (int column = 0; column < model.columnCount(); ++column)
      cells.push_back(model.data(model.index(row, column), Qt::EditRole).toString().toStdString());
  }
  return table;
}

}  // namespace

QString curvesAsText(const CurveSet& curves) {
  CurveTableModel model;
  model.setCurves(curves);
  return model.copied({0, model.columnCount()}, {0, model.rowCount()});
}

QList<QAction*> curveCopyActions(QObject* owner, const std::function<const CurveSet&()>& curves) {
  return tableCopyActions(owner, [curves] { return asTable(curves()); });
}

void CurveTable::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Copy)) return QTableView::keyPressEvent(event);
  if (const QString selected = selectedText(); !selected.isEmpty()) QApplication::clipboard()->setText(selected);
}

void CurveTable::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const QString& title, const QString& copied) {
    QAction* action = menu->addAction(title, this, [copied] { QApplication::clipboard()->setText(copied); });
    action->setEnabled(!copied.isEmpty());
    return action;
  };
  add(tr("Copy cell"), cellText());
  add(tr("Copy row"), rowText());
  add(tr("Copy selection"), selectedText())->setShortcut(QKeySequence::Copy);
  menu->addAction(tr("Copy table"), this, [this] { QApplication::clipboard()->setText(allText()); });
  menu->addActions(tableCopyActions(menu, [this] { return shownTable(*this, Qt::EditRole); }));
  if (const auto* view = parentWidget(); view && !view->actions().isEmpty()) {
    menu->addSeparator();
    menu->addActions(view->actions());
  }
  menu->popup(event->globalPos());
}

}  // namespace vqscope
