// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/tensor_index.h"

#include "core/base/text.h"
#include "core/io/npy/npy_header.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

namespace vqscope {
namespace {

enum IndexColumn {
  layerColumn,
  tensorColumn,
  shapeColumn,
  typeColumn,
  orderColumn,
  rmsColumn,
  largestColumn,
  nanColumn,
  infiniteColumn,
  remarkColumn
};

QString measured(double value) { return text(to_text(value, 4)); }

/// Infinities mask: they are no fault there.
bool masks(TensorRole role) {
  return role == TensorRole::mask || role == TensorRole::bias || role == TensorRole::scores;
}

QString remarkOn(const TensorSummary& summary, TensorRole role) {
  QStringList remarks;
  if (summary.not_numbers > 0) remarks << TensorIndex::tr("has NaN");
  if (summary.infinities > 0 && !masks(role)) remarks << TensorIndex::tr("has infinities");
  if (summary.constant) remarks << TensorIndex::tr("all are %1").arg(measured(*summary.constant));
  return remarks.join(QStringLiteral(", "));
}

}  // namespace

TensorIndex::TensorIndex(std::shared_ptr<const Capture> capture, QWidget* parent)
    : QWidget(parent), m_capture(std::move(capture)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 8, 0, 0);
  m_progress = paragraph(this);
  m_table = plainTable({tr("Layer"), tr("Tensor"), tr("Shape"), tr("Type"), tr("Read as"), tr("RMS"), tr("Largest |x|"),
                        tr("NaN"), tr("Infinite"), tr("Remark")},
                       this);
  m_table->setAccessibleName(tr("Tensors of the capture"));
  m_table->setWordWrap(false);
  column->addWidget(m_progress);
  column->addWidget(m_table, 1);
  connect(m_table, &QTableWidget::currentCellChanged, this, &TensorIndex::layerChanged);
  connect(m_table, &QTableWidget::cellActivated, this, [this](int row) {
    const Row& chosen = m_rows[static_cast<std::size_t>(row)];
    emit tensorChosen(chosen.layer, chosen.role);
  });
  addRows();
  summarise(0);
}

void TensorIndex::addRows() {
  for (const auto& [layer, tensors] : m_capture->layers)
    for (const auto& [role, tensor] : tensors) m_rows.push_back({layer, role});
  m_table->setRowCount(static_cast<int>(m_rows.size()));
  int row = 0;
  for (const auto& [layer, tensors] : m_capture->layers)
    for (const auto& [role, tensor] : tensors) {
      m_table->setItem(row, layerColumn, tableItem(QString::number(layer), Qt::AlignRight));
      m_table->setItem(row, tensorColumn, tableItem(text(std::string(name_of(role)))));
      m_table->setItem(row, shapeColumn, tableItem(text(NpyHeader{.shape = tensor.shape}.shape_text())));
      m_table->setItem(row, typeColumn, tableItem(text(tensor.dtype)));
      m_table->item(row, tensorColumn)->setToolTip(tr("%1 in %2").arg(text(tensor.name), text(tensor.file)));
      ++row;
    }
  if (row > 0) m_table->setCurrentCell(0, 0);
  m_table->resizeColumnsToContents();
}

Index TensorIndex::layer() const {
  const int row = m_table->currentRow();
  return row < 0 ? m_capture->layers.begin()->first : m_rows[static_cast<std::size_t>(row)].layer;
}

void TensorIndex::showLayer(Index layer) {
  for (std::size_t row = 0; row < m_rows.size(); ++row)
    if (m_rows[row].layer == layer) return m_table->setCurrentCell(static_cast<int>(row), 0);
}

void TensorIndex::summarise(int row) {
  showProgress(row);
  if (row >= std::ssize(m_rows)) return;
  std::vector<Row> rows;
  for (auto at = static_cast<std::size_t>(row); at < m_rows.size(); ++at)
    if (m_rows[at].layer == m_rows[static_cast<std::size_t>(row)].layer) rows.push_back(m_rows[at]);
  m_work.run<std::vector<Result<TensorSummary>>>(
      [capture = m_capture, rows](const std::stop_token& stop) {
        std::vector<Result<TensorSummary>> summaries;
        for (const Row& each : rows) summaries.push_back(summary_of_tensor(*capture, each.layer, each.role, stop));
        return summaries;
      },
      [this, row](const std::vector<Result<TensorSummary>>& summaries) {
        int at = row;
        for (const auto& summary : summaries) fill(at++, summary);
        if (row == 0) m_table->resizeColumnsToContents();
        // No result where memory ran out.
        summaries.empty() ? m_progress->setText(tr("The tensors could not be read")) : summarise(at);
      });
}

void TensorIndex::fill(int row, const Result<TensorSummary>& summary) {
  const auto set = [&](int column, const QString& words) {
    const bool isNumber = column != orderColumn && column != remarkColumn;
    m_table->setItem(row, column, tableItem(words, isNumber ? Qt::AlignRight : Qt::AlignLeft));
  };
  if (!summary) return set(remarkColumn, text(summary.error().message));
  const QString remark = remarkOn(*summary, m_rows[static_cast<std::size_t>(row)].role);
  m_findings += remark.isEmpty() ? 0 : 1;
  set(orderColumn, text(summary->order));
  set(rmsColumn, measured(summary->rms));
  set(largestColumn, measured(summary->largest));
  set(nanColumn, groupedNumbers(QString::number(summary->not_numbers)));
  set(infiniteColumn, groupedNumbers(QString::number(summary->infinities)));
  set(remarkColumn, remark);
}

void TensorIndex::showProgress(int row) {
  if (row < std::ssize(m_rows))
    return m_progress->setText(
        tr("Reading layer %1 of %2").arg(m_rows[static_cast<std::size_t>(row)].layer).arg(m_capture->layers.size()));
  const QString found = m_findings == 0 ? tr("none has NaN, an infinity out of place or one value throughout")
                                        : counted(m_findings, tr("has a remark"), tr("have remarks"));
  m_progress->setText(tr("%1: %2").arg(counted(std::ssize(m_rows), tr("tensor"), tr("tensors")), found));
}

}  // namespace vqscope
