// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/merged_table.h"

#include "core/base/text.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int shownDigits = 7;        // as in readouts
constexpr int mergedRowPadding = 10;  // pixels between the words of two lines

class FirstRows : public RowSink {
 public:
  FirstRows(const Sweep& sweep, MergedRows& rows) : m_sweep(sweep), m_rows(rows) {}

  Result<void> begin(const std::string& xName) override {
    m_rows.columns = {"point"};
    for (const auto& varied : m_sweep.varied) m_rows.columns.push_back(varied.name);
    m_rows.columns.insert(m_rows.columns.end(), {"series", xName, "value"});
    return {};
  }

  Result<void> add(const MergedRow& row) override {
    if (m_rows.count++ >= MergedRows::most) return {};
    std::vector<std::string> words{row.point.id};
    for (const auto& varied : m_sweep.varied) words.push_back(format_value(*row.point.values.find(varied.name)));
    words.emplace_back(row.series);
    m_rows.rows.push_back({std::move(words), row.x, row.value});
    return {};
  }

 private:
  const Sweep& m_sweep;
  MergedRows& m_rows;
};

QString wordsOf(const MergedRows& merged) {
  const auto number = [](Index count) { return text(grouped(count)); };
  QString words = merged.count > MergedRows::most ? MergedTable::tr("The first %1 of %2 rows; the saved table has all.")
                                                        .arg(number(MergedRows::most), number(merged.count))
                                                  : MergedTable::tr("%1 rows.").arg(number(merged.count));
  const auto add = [&](const std::vector<std::string>& items, const QString& sentence) {
    if (!items.empty()) words += QLatin1Char(' ') + sentence.arg(number(static_cast<Index>(items.size())));
  };
  add(merged.report.missing, MergedTable::tr("Points that are not finished: %1."));
  add(merged.report.damaged, MergedTable::tr("Damaged or incomplete runs: %1."));
  add(merged.report.differing, MergedTable::tr("Points with two runs that differ: %1; the table uses the first."));
  add(merged.report.foreign, MergedTable::tr("Runs that are not part of this sweep: %1."));
  return words;
}

}  // namespace

class MergedModel : public QAbstractTableModel {
 public:
  using QAbstractTableModel::QAbstractTableModel;

  void setRows(MergedRows rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
  }

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.rows.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.columns.size());
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    const auto& row = m_rows.rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    const bool number = column >= row.words.size();
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (!number) return text(row.words[column]);
    const std::optional<double> value = column == row.words.size() ? row.x : row.value;
    if (!value) return {};
    return text(role == Qt::DisplayRole ? to_text(*value, shownDigits) : to_text(*value));
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
      return QVariant(Qt::AlignVCenter | (section + 2 >= columnCount() ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole) return {};
    return text(m_rows.columns[static_cast<std::size_t>(section)]);
  }

 private:
  MergedRows m_rows;
};

Result<MergedRows> mergedRows(const Sweep& sweep, const std::string& folder, const std::stop_token& stop) {
  MergedRows rows;
  FirstRows sink(sweep, rows);
  auto report = merge_rows(sweep, {folder}, sink, stop);
  if (!report) return report.error();
  rows.report = std::move(*report);
  return rows;
}

MergedTable::MergedTable(QWidget* parent)
    : QWidget(parent), m_model(new MergedModel(this)), m_view(new QTableView(this)), m_words(paragraph(this)) {
  m_words->setObjectName(QStringLiteral("mergedWords"));
  m_view->setObjectName(QStringLiteral("merged"));
  m_view->setModel(m_model);
  m_view->setShowGrid(false);
  m_view->setWordWrap(false);
  m_view->setTabKeyNavigation(false);
  m_view->verticalHeader()->hide();
  m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + mergedRowPadding);
  m_view->horizontalHeader()->setHighlightSections(false);
  m_view->horizontalHeader()->setStretchLastSection(true);
  offerCopies(*m_view);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_view, 1);
  column->addWidget(m_words);
}

void MergedTable::show(std::shared_ptr<const Sweep> sweep, const std::string& folder) {
  if (!sweep) {
    m_reading.stop();
    m_model->setRows({});
    return m_words->setText(tr("The results of finished points appear here as one table."));
  }
  m_words->setText(tr("Reading the runs"));
  m_reading.run<Result<MergedRows>>(
      [sweep = std::move(sweep), folder](std::stop_token stop) { return mergedRows(*sweep, folder, stop); },
      [this](Result<MergedRows> rows) { take(std::move(rows)); });
}

void MergedTable::take(Result<MergedRows> rows) {
  if (!rows) {
    m_model->setRows({});
    return m_words->setText(text(rows.error().message));
  }
  m_words->setText(wordsOf(*rows));
  m_model->setRows(std::move(*rows));
  constexpr int widest = 180, padding = 8;
  for (int column = 0; column + 1 < m_model->columnCount(); ++column) {
    m_view->resizeColumnToContents(column);
    m_view->setColumnWidth(column, std::min(widest, m_view->columnWidth(column) + padding));
  }
}

}  // namespace vqscope
