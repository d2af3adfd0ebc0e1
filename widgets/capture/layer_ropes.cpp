// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/layer_ropes.h"

#include "core/capture/rope/rope_of_capture.h"
#include "core/capture/rope/rope_of_config.h"
#include "core/capture/rope/rope_sentence.h"
#include "core/config/model_config.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

enum RopeColumn { ropeLayerColumn, sentenceColumn, configColumn };

}  // namespace

LayerRopes::LayerRopes(std::shared_ptr<const Capture> capture, QWidget* parent)
    : QWidget(parent), m_capture(std::move(capture)) {
  for (const auto& [layer, tensors] : m_capture->layers) m_layers.push_back(layer);
  m_told.resize(m_layers.size());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 8, 0, 0);
  m_table = plainTable({tr("Layer"), tr("Which RoPE is this?"), tr("Against the config")}, this);
  m_table->setAccessibleName(tr("RoPE by layer"));
  m_current = paragraph(this);
  m_copy = new QPushButton(tr("Copy as config"), this);
  m_copy->setAutoDefault(false);
  m_copy->setToolTip(tr("Copies rope_parameters for a config.json"));
  column->addWidget(m_table, 1);
  column->addWidget(m_current);
  column->addWidget(m_copy, 0, Qt::AlignLeft);
  m_table->setRowCount(static_cast<int>(m_layers.size()));
  for (int row = 0; row < m_table->rowCount(); ++row)
    m_table->setItem(row, ropeLayerColumn,
                     tableItem(QString::number(m_layers[static_cast<std::size_t>(row)]), Qt::AlignRight));
  connect(m_table, &QTableWidget::currentCellChanged, this, &LayerRopes::showCurrent);
  connect(m_copy, &QPushButton::clicked, this, &LayerRopes::copyConfig);
  m_table->setCurrentCell(0, 0);
}

void LayerRopes::showLayer(Index layer) {
  const auto found = std::ranges::find(m_layers, layer);
  if (found != m_layers.end()) m_table->setCurrentCell(static_cast<int>(found - m_layers.begin()), 0);
}

void LayerRopes::read() {
  if (!std::exchange(m_isRequested, true)) readFrom(0);
}

LayerRopes::Told LayerRopes::toldOf(const Capture& capture, Index layer) {
  const auto rope = which_rope_of_capture(capture, layer, 0);
  if (!rope) return {text(rope.error().message), {}, {}, {}};
  Told told{text(rope_sentence(*rope)), {}, {}, text(rope_parameters_text(*rope))};
  QStringList open;
  for (const std::string& each : rope->undetermined) open << text(each);
  told.open = open.join(QStringLiteral(", "));
  if (!capture.info.config) return told;
  const auto config = examine_model_config(*capture.info.config);
  if (!config) {
    told.differences << text(config.error().message);
    return told;
  }
  for (const std::string& each : differences_from_config(*rope, *config)) told.differences << text(each);
  if (told.differences.isEmpty()) told.differences << tr("the tensors turn as it says");
  return told;
}

void LayerRopes::readFrom(int row) {
  if (row >= std::ssize(m_layers)) return;
  m_table->setItem(row, sentenceColumn, tableItem(tr("reading")));
  m_work.run<Told>([capture = m_capture, layer = m_layers[static_cast<std::size_t>(row)]](
                       const std::stop_token&) { return toldOf(*capture, layer); },
                   [this, row](const Told& told) {
                     fill(row, told);
                     readFrom(row + 1);
                   });
}

void LayerRopes::fill(int row, const Told& told) {
  m_told[static_cast<std::size_t>(row)] = told;
  m_table->setItem(row, sentenceColumn, tableItem(told.sentence));
  m_table->setItem(row, configColumn,
                   tableItem(told.parameters.isEmpty() ? QString()
                             : m_capture->info.config  ? told.differences.join(QStringLiteral("; "))
                                                       : tr("no config was kept")));
  fitRows(*m_table);
  showCurrent();
}

void LayerRopes::showCurrent() {
  const int row = m_table->currentRow();
  const Told told = row < 0 ? Told{} : m_told[static_cast<std::size_t>(row)];
  m_copy->setEnabled(!told.parameters.isEmpty());
  if (told.parameters.isEmpty()) return m_current->clear();
  QString words = tr("As a config: %1").arg(told.parameters);
  if (!told.open.isEmpty()) words += QLatin1Char('\n') + tr("Not told by these tensors: %1").arg(told.open);
  m_current->setText(words);
}

void LayerRopes::copyConfig() {
  QApplication::clipboard()->setText(m_told[static_cast<std::size_t>(m_table->currentRow())].parameters);
}

}  // namespace vqscope
