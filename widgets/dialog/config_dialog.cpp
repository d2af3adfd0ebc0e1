// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/config_dialog.h"

#include "core/base/text.h"
#include "core/config/config_text.h"
#include "widgets/config/reader_table.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

namespace vqscope {
namespace {

QString number(double value, int digits = 6) { return QString::number(value, 'g', digits); }

const char* lookOf(ConfigSeverity severity) {
  switch (severity) {
    case ConfigSeverity::error: return "error";
    case ConfigSeverity::warning: return "warning";
    case ConfigSeverity::note: break;
  }
  return "secondary";
}

QString placeOf(const TextPlace& place) { return place.line > 0 ? QString::number(place.line) : QString(); }

}  // namespace

ConfigDialog::ConfigDialog(const QString& name, const ConfigReport& report, QWidget* parent)
    : QDialog(parent), m_tabs(new QTabWidget(this)) {
  setWindowTitle(tr("%1 – position encoding").arg(name));
  resize(onScreen(*this, {940, 620}));
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(10);
  m_tabs->addTab(scrolled(findingsOf(report)), tr("Findings"));
  if (!report.readers.rows.empty()) {
    auto* readers = new ReaderPanel(this);
    readers->setMatrix(report.readers);
    m_tabs->addTab(readers, tr("Libraries"));
  }
  for (const auto& use : report.ropes) addRope(use);
  m_tabs->addTab(keysOf(report), tr("Keys"));
  layout->addWidget(m_tabs, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  for (const auto& view : report.views)
    connect(buttons->addButton(tr("Show %1").arg(text(view.title)), QDialogButtonBox::ActionRole),
            &QPushButton::clicked, this, [this, view] {
              emit opened(view);
              close();
            });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
}

QWidget* ConfigDialog::findingsOf(const ConfigReport& report) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setSpacing(8);
  auto* counted = heading(report.findings.empty() ? tr("No problems found") : text(findings_text(report)), this);
  column->addWidget(counted);
  for (const auto& finding : report.findings) {
    auto* line = paragraph(content, lookOf(finding.severity));
    line->setText(text(finding_text(finding)));
    column->addWidget(line);
  }
  column->addSpacing(8);
  column->addWidget(heading(tr("Summary"), content));
  auto* summary = paragraph(content, "remark");
  summary->setText(text(report.summary));
  column->addWidget(summary);
  column->addStretch(1);
  return content;
}

void ConfigDialog::addRope(const RopeUse& use) {
  const QString layers = use.layers.empty() ? QString() : QStringLiteral(" · ") + text(use.layers);
  m_tabs->addTab(pairsOf(use), tr("Pairs") + layers);
  m_tabs->addTab(readersOf(use), tr("Readers") + layers);
}

QWidget* ConfigDialog::pairsOf(const RopeUse& use) {
  auto* table = plainTable({tr("Pair"), tr("inv_freq"), tr("Wavelength (tokens)"), tr("Turns in training"),
                            tr("Turns served"), tr("Compared with no scaling"), tr("Treatment")},
                           this);
  table->setRowCount(static_cast<int>(use.pairs.size()));
  int row = 0;
  for (const auto& pair : use.pairs) {
    const QStringList cells{
        QString::number(row),         number(pair.inv_freq),
        number(pair.wavelength),      number(pair.trained_turns, 4),
        number(pair.served_turns, 4), QStringLiteral("× ") + number(pair.inv_freq / pair.plain_inv_freq, 4),
        text(fate_name(pair.fate))};
    for (int column = 0; column < cells.size(); ++column) table->setItem(row, column, tableItem(cells[column]));
    ++row;
  }
  table->resizeColumnsToContents();
  return table;
}

QWidget* ConfigDialog::readersOf(const RopeUse& use) {
  auto* table = plainTable({tr("Reader"), tr("How this reader interprets the config"), tr("In numbers")}, this);
  table->setRowCount(static_cast<int>(use.implementations.size()));
  int row = 0;
  for (const auto& each : use.implementations) {
    const QStringList cells{text(each.name), text(each.rule), text(implementation_text(each))};
    for (int column = 0; column < cells.size(); ++column) table->setItem(row, column, tableItem(cells[column]));
    ++row;
  }
  fitRows(*table);
  return table;
}

QWidget* ConfigDialog::keysOf(const ConfigReport& report) {
  auto* table = plainTable({tr("Line"), tr("Key"), tr("Value"), tr("Use"), tr("Note")}, this);
  for (const auto& key : report.keys) {
    if (key.use == KeyUse::unrelated) continue;
    const int row = table->rowCount();
    table->insertRow(row);
    const QStringList cells{placeOf(key.place), text(key.path), text(key.value), text(key_use_name(key.use)),
                            text(key.note)};
    for (int column = 0; column < cells.size(); ++column) table->setItem(row, column, tableItem(cells[column]));
  }
  fitRows(*table);
  return table;
}

}  // namespace vqscope
