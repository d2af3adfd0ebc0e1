// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/layer_table.h"

#include "widgets/model/layer_model.h"
#include "widgets/model/layer_words.h"
#include "widgets/model/mask_bar_delegate.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/parts.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace vqscope {
namespace {

constexpr int padding = 6;
constexpr LayerModel::Column perhapsEmpty[] = {LayerModel::scaling, LayerModel::rotated, LayerModel::extra,
                                               LayerModel::theta};
/// Columns in the order in which they leave a narrow table.
constexpr LayerModel::Column firstToLeave[] = {LayerModel::position, LayerModel::extra, LayerModel::rotated,
                                               LayerModel::scaling, LayerModel::theta};

QTableView* makeView(LayerModel* model, QWidget* parent) {
  auto* view = new QTableView(parent);
  view->setModel(model);
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setSelectionMode(QAbstractItemView::SingleSelection);
  view->setShowGrid(false);
  view->setWordWrap(false);
  view->setTabKeyNavigation(false);
  offerCopies(*view);
  view->setContextMenuPolicy(Qt::CustomContextMenu);  // the same actions, after those of the layer
  view->verticalHeader()->hide();
  view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view->verticalHeader()->setMinimumSectionSize(16);
  view->verticalHeader()->setDefaultSectionSize(std::max(20, view->fontMetrics().height() + 5));
  view->horizontalHeader()->setHighlightSections(false);
  view->horizontalHeader()->setMinimumSectionSize(24);
  view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view->setAccessibleName(LayerTable::tr("Layers"));
  return view;
}

}  // namespace

QString scheduleSummary(const LayerSchedule& schedule) {
  QStringList kinds;
  std::vector<int> counts;
  for (const ModelLayer& layer : schedule.layers) {
    const QString words = maskWords(layer);
    if (!kinds.contains(words)) {
      kinds << words;
      counts.push_back(0);
    }
    ++counts[static_cast<std::size_t>(kinds.indexOf(words))];
  }
  for (qsizetype i = 0; i < kinds.size(); ++i)
    kinds[i] = QStringLiteral("%1 %2").arg(counts[static_cast<std::size_t>(i)]).arg(kinds[i]);
  const auto count = static_cast<int>(schedule.layers.size());
  const QString all = kinds.join(QStringLiteral(", "));
  return count == 1 ? LayerTable::tr("1 layer: %1").arg(all) : LayerTable::tr("%1 layers: %2").arg(count).arg(all);
}

LayerTable::LayerTable(QWidget* parent)
    : QWidget(parent),
      m_model(new LayerModel(this)),
      m_bars(new MaskBarDelegate(this)),
      m_view(makeView(m_model, this)),
      m_summary(paragraph(this)),
      m_fold(new QCheckBox(tr("Fold equal layers"), this)) {
  m_view->setItemDelegateForColumn(LayerModel::mask, m_bars);
  m_view->installEventFilter(this);
  auto* top = new QHBoxLayout;
  top->addWidget(heading(tr("Layers"), this), 1);
  top->addWidget(m_fold);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 10, 8, 10);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addWidget(m_summary);
  layout->addWidget(m_view, 1);
  layout->addWidget(makeButtons());
  connect(m_fold, &QCheckBox::toggled, this, &LayerTable::setFolded);
  connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
    updateButtons();
    if (currentLayer() >= 0) emit layerChosen(static_cast<int>(currentLayer()));
  });
  connect(m_view, &QTableView::doubleClicked, this, [this] { emit maskRequested(static_cast<int>(currentLayer())); });
  connect(m_view, &QTableView::customContextMenuRequested, this, &LayerTable::openMenu);
  updateButtons();
}

QWidget* LayerTable::makeButtons() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  m_mask = new QPushButton(tr("Show mask"), bar);
  m_mask->setToolTip(tr("Opens the mask of the selected layer (Enter)"));
  m_phases = new QPushButton(tr("Show phases"), bar);
  m_phases->setToolTip(tr("Opens the RoPE phases of the selected layer"));
  row->addWidget(m_mask);
  row->addWidget(m_phases);
  row->addStretch(1);
  connect(m_mask, &QPushButton::clicked, this, [this] { emit maskRequested(static_cast<int>(currentLayer())); });
  connect(m_phases, &QPushButton::clicked, this, [this] { emit phasesRequested(static_cast<int>(currentLayer())); });
  return bar;
}

void LayerTable::setSchedule(const LayerSchedule& schedule) {
  const Index layer = currentLayer();
  m_model->setSchedule(schedule);
  m_summary->setText(scheduleSummary(schedule));
  fitColumns();
  showLayer(layer < static_cast<Index>(schedule.layers.size()) ? layer : -1);
}

void LayerTable::setTokens(Index tokens) {
  m_bars->setTokens(tokens);
  m_model->setTokens(tokens);
  fitColumns();
}

void LayerTable::setFolded(bool folded) {
  const Index layer = currentLayer();
  m_fold->setChecked(folded);
  m_model->setFolded(folded);
  fitColumns();
  showLayer(layer);
}

void LayerTable::fitColumns() {
  for (int column = 0; column < LayerModel::columns; ++column) m_view->setColumnHidden(column, false);
  m_view->resizeColumnsToContents();
  m_widths.clear();
  for (int column = 0; column < LayerModel::columns; ++column) m_widths.push_back(m_view->columnWidth(column));
  for (const auto column : perhapsEmpty)
    if (m_model->isEmpty(column)) m_widths[column] = 0;
  fitWidth();
}

void LayerTable::fitWidth() {
  std::vector<int> widths = m_widths;
  const auto needed = [&] { return std::accumulate(widths.begin(), widths.end(), frameWidth()); };
  const int spare = wholeWidth() <= width() ? padding : 0;
  for (const auto column : firstToLeave)
    if (!widths.empty() && needed() > width()) widths[column] = 0;
  for (int column = 0; column < static_cast<int>(widths.size()); ++column) {
    const int content = widths[static_cast<std::size_t>(column)];
    m_view->setColumnHidden(column, content == 0);
    if (content > 0) m_view->setColumnWidth(column, content + spare);
  }
}

int LayerTable::frameWidth() const {
  const QMargins margins = layout()->contentsMargins();
  return margins.left() + margins.right() + m_view->verticalScrollBar()->sizeHint().width() + 6;
}

int LayerTable::wholeWidth() const {
  int width = frameWidth();
  for (const int content : m_widths)
    if (content > 0) width += content + padding;
  return width;
}

void LayerTable::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitWidth();
}

void LayerTable::showLayer(Index layer) {
  const QSignalBlocker blocked(this);
  const int row = m_model->rowOf(layer);
  if (row < 0)
    m_view->selectionModel()->clear();
  else
    m_view->selectRow(row);
  if (row >= 0) m_view->scrollTo(m_model->index(row, 0));
  updateButtons();
}

Index LayerTable::currentLayer() const {
  const QModelIndex current = m_view->currentIndex();
  return current.isValid() ? m_model->layersOf(current.row()).begin : -1;
}

bool LayerTable::hasPhases(Index layer) const {
  return layer >= 0 && m_model->schedule().layers[static_cast<std::size_t>(layer)].rope >= 0;
}

void LayerTable::updateButtons() {
  m_mask->setEnabled(currentLayer() >= 0);
  m_phases->setEnabled(hasPhases(currentLayer()));
}

void LayerTable::openMenu(const QPoint& at) {
  const Index layer = currentLayer();
  QMenu menu(this);
  if (layer >= 0) {
    menu.addAction(tr("Show the mask of layer %1").arg(layer), this,
                   [&] { emit maskRequested(static_cast<int>(layer)); });
    auto* phases = menu.addAction(tr("Show the phases of layer %1").arg(layer), this,
                                  [&] { emit phasesRequested(static_cast<int>(layer)); });
    phases->setEnabled(hasPhases(layer));
    menu.addSeparator();
  }
  menu.addActions(m_view->actions());
  menu.exec(m_view->viewport()->mapToGlobal(at));
}

bool LayerTable::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && currentLayer() >= 0) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      emit maskRequested(static_cast<int>(currentLayer()));
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace vqscope
