// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/layer_ropes.h"

#include "core/capture/rope/rope_of_capture.h"
#include "core/capture/rope/rope_of_config.h"
#include "core/capture/rope/rope_sentence.h"
#include "core/capture/rope/rope_values.h"
#include "core/config/model_config.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
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
  m_copy = addButton(tr("Copy as config"));
  m_code = addButton(tr("Copy as code"));
  m_show = addButton(tr("Show on Positions"));
  auto* buttons = new QHBoxLayout;
  for (QPushButton* each : {m_copy, m_code, m_show}) buttons->addWidget(each);
  buttons->addStretch();
  column->addWidget(m_table, 1);
  column->addWidget(m_current);
  column->addLayout(buttons);
  m_table->setRowCount(static_cast<int>(m_layers.size()));
  for (int row = 0; row < m_table->rowCount(); ++row)
    m_table->setItem(row, ropeLayerColumn,
                     tableItem(QString::number(m_layers[static_cast<std::size_t>(row)]), Qt::AlignRight));
  connect(m_table, &QTableWidget::currentCellChanged, this, &LayerRopes::showCurrent);
  connect(m_copy, &QPushButton::clicked, this, &LayerRopes::copyConfig);
  connect(m_code, &QPushButton::clicked, this, [this] { emit codeRequested(*current().values); });
  connect(m_show, &QPushButton::clicked, this, [this] { emit positionsRequested(*current().values); });
  m_table->setCurrentCell(0, 0);
}

QPushButton* LayerRopes::addButton(const QString& title) {
  auto* button = new QPushButton(title, this);
  button->setAutoDefault(false);
  return button;
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
  if (!rope) return {.sentence = text(rope.error().message)};
  Told told{.sentence = text(rope_sentence(*rope)), .parameters = text(rope_parameters_text(*rope))};
  if (auto values = rope_values(*rope))
    told.values = std::move(*values);
  else
    told.noValues = text(values.error().message);
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

LayerRopes::Told LayerRopes::current() const {
  const int row = m_table->currentRow();
  return row < 0 ? Told{} : m_told[static_cast<std::size_t>(row)];
}

void LayerRopes::showCurrent() {
  const Told told = current();
  m_copy->setEnabled(!told.parameters.isEmpty());
  m_copy->setToolTip(tr("Copies rope_parameters for a config.json"));
  m_code->setEnabled(told.values.has_value());
  m_code->setToolTip(told.values ? tr("Copies Python for PyTorch that rotates q and k alike") : told.noValues);
  m_show->setEnabled(told.values.has_value());
  m_show->setToolTip(told.values ? tr("Sets the RoPE of the pages to this one") : told.noValues);
  if (told.parameters.isEmpty()) return m_current->clear();
  QString words = tr("As a config: %1").arg(told.parameters);
  if (!told.open.isEmpty()) words += QLatin1Char('\n') + tr("Not told by these tensors: %1").arg(told.open);
  m_current->setText(words);
}

void LayerRopes::copyConfig() { QApplication::clipboard()->setText(current().parameters); }

}  // namespace vqscope
