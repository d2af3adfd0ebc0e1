// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/config/config_comparison.h"

#include "core/config/compare/compare.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace vqscope {

ConfigComparison::ConfigComparison(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  m_counted = heading({}, this);
  m_names = paragraph(this);
  m_errors = paragraph(this, "error");
  m_table = plainTable({tr("Fact"), tr("A"), tr("B"), tr("What it means")}, this);
  m_table->setAccessibleName(tr("Differences between two configs"));
  column->addWidget(m_errors);
  column->addWidget(m_counted);
  column->addWidget(m_names);
  column->addWidget(m_table, 1);
}

void ConfigComparison::setReports(const QString& a, const ConfigReport& reportA, const QString& b,
                                  const ConfigReport& reportB) {
  const auto differences = compare_configs(reportA, reportB, {a.toStdString(), b.toStdString()});
  const QString errors = text(errors_text(a.toStdString(), reportA) + errors_text(b.toStdString(), reportB));
  m_text = text(comparison_text(a.toStdString(), b.toStdString(), differences, errors.toStdString()));
  const QString found =
      differences.empty() ? tr("No difference in meaning")
                          : counted(std::ssize(differences), tr("difference in meaning"), tr("differences in meaning"));
  m_counted->setText(errors.isEmpty() ? found : tr("%1 between the configs, which errors contradict").arg(found));
  m_names->setText(tr("A: %1 – %2\nB: %3 – %4").arg(a, text(reportA.summary), b, text(reportB.summary)));
  m_errors->setText(errors.trimmed());
  m_errors->setVisible(!errors.isEmpty());
  m_table->setVisible(!differences.empty());
  m_table->setRowCount(static_cast<int>(differences.size()));
  int row = 0;
  for (const auto& each : differences) {
    const QStringList cells{text(each.fact), groupedNumbers(text(each.a)), groupedNumbers(text(each.b)),
                            groupedNumbers(text(each.meaning))};
    for (int column = 0; column < cells.size(); ++column) m_table->setItem(row, column, tableItem(cells[column]));
    ++row;
  }
  fitRows(*m_table);
}

ConfigComparisonDialog::ConfigComparisonDialog(const QString& a, const ConfigReport& reportA, const QString& b,
                                               const ConfigReport& reportB, QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("%1 and %2 – what differs").arg(a, b));
  resize(onScreen(*this, {980, 560}));
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(10);
  auto* comparison = new ConfigComparison(this);
  comparison->setReports(a, reportA, b, reportB);
  layout->addWidget(comparison, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons->addButton(tr("Copy as text"), QDialogButtonBox::ActionRole), &QPushButton::clicked, this,
          [comparison] { QApplication::clipboard()->setText(comparison->asText()); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
}

}  // namespace vqscope
