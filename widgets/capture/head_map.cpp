// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/head_map.h"

#include "core/base/text.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/table/cell_backgrounds.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int headRole = Qt::UserRole;  ///< index of the head
constexpr Index readRows = 256;         ///< as `vqscope heads` reads by default

QColor colourOf(HeadRole role, const Palette& colours) {
  switch (role) {
    case HeadRole::sink: return colours.warning;
    case HeadRole::self: return colours.secondary;
    case HeadRole::previous: return colours.teal;
    case HeadRole::induction: return colours.good;
    case HeadRole::duplicate: return mixed(colours.good, colours.accent, 0.5);
    case HeadRole::local: return colours.accent;
    case HeadRole::retrieval: return colours.violet;
    case HeadRole::broad: break;
  }
  return colours.panel;
}

QString share(double value) { return text(to_text(100 * value, 3)) + QStringLiteral(" %"); }

QString describe(const CapturedHead& head) {
  const HeadMeasures& m = head.measures;
  QStringList facts{HeadMap::tr("sink %1").arg(share(m.sink)), HeadMap::tr("own token %1").arg(share(m.self)),
                    HeadMap::tr("previous token %1").arg(share(m.previous))};
  if (m.induction) facts << HeadMap::tr("induction %1 above chance").arg(share(*m.induction));
  if (m.duplicate) facts << HeadMap::tr("duplicate %1 above chance").arg(share(*m.duplicate));
  facts << HeadMap::tr("one distant key %1").arg(share(m.peak));
  const auto reach = m.reach();
  facts << (reach ? HeadMap::tr("90 % within %1").arg(counted(*reach, HeadMap::tr("token"), HeadMap::tr("tokens")))
                  : HeadMap::tr("90 % within no window"));
  facts << HeadMap::tr("entropy %1 nats").arg(text(to_text(m.entropy, 3)));
  return HeadMap::tr("Layer %1, head %2, %3: %4")
      .arg(head.layer)
      .arg(head.head)
      .arg(text(std::string(name_of(head.role))), facts.join(QStringLiteral(", ")));
}

}  // namespace

HeadMap::HeadMap(std::shared_ptr<const Capture> capture, QWidget* parent)
    : QWidget(parent), m_capture(std::move(capture)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 8, 0, 0);
  m_sentences = paragraph(this);
  m_map = new QTableWidget(this);
  m_map->setAccessibleName(tr("Roles of heads by layer"));
  m_map->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_map->setSelectionMode(QAbstractItemView::SingleSelection);
  m_map->setTabKeyNavigation(false);
  m_map->setShowGrid(false);
  m_map->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_map->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_map->verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  offerCopies(*m_map);
  paintBackgrounds(*m_map);
  m_current = paragraph(this);
  m_current->setMinimumHeight(2 * m_current->fontMetrics().lineSpacing());
  m_copy = new QPushButton(tr("Copy numbers as CSV"), this);
  m_copy->setAutoDefault(false);
  m_copy->setEnabled(false);
  column->addWidget(m_sentences);
  column->addWidget(m_map, 1);
  column->addWidget(m_current);
  column->addWidget(m_copy, 0, Qt::AlignLeft);
  connect(m_map, &QTableWidget::currentCellChanged, this, &HeadMap::showCurrent);
  connect(m_map, &QTableWidget::cellActivated, this, [this](int row, int column) {
    const QTableWidgetItem* item = m_map->item(row, column);
    if (!item) return;
    const CapturedHead& head = m_heads.heads[static_cast<std::size_t>(item->data(headRole).toLongLong())];
    emit headChosen(head.layer, head.head);
  });
  connect(m_copy, &QPushButton::clicked, this, &HeadMap::copyNumbers);
}

void HeadMap::read() {
  if (std::exchange(m_isRequested, true)) return;
  m_sentences->setText(tr("Reading the weights of %1 rows of each head").arg(readRows));
  m_work.run<Result<CapturedHeads>>(
      [capture = m_capture](const std::stop_token& stop) {
        return heads_of(*capture, {}, 0, readRows, {.progress = {}, .stop = stop});
      },
      [this](const Result<CapturedHeads>& heads) { take(heads); });
}

void HeadMap::take(const Result<CapturedHeads>& heads) {
  if (!heads) return m_sentences->setText(text(heads.error().message));
  m_heads = *heads;
  QStringList lines;
  for (const std::string& line : sentences_of(m_heads)) lines << text(line);
  m_sentences->setText(lines.join(QLatin1Char('\n')));
  m_copy->setEnabled(true);
  fill();
}

void HeadMap::fill() {
  Index most = 0;
  std::vector<Index> layers;
  for (const CapturedHead& head : m_heads.heads) {
    most = std::max(most, head.head + 1);
    if (layers.empty() || layers.back() != head.layer) layers.push_back(head.layer);
  }
  m_map->setColumnCount(static_cast<int>(most));
  m_map->setRowCount(static_cast<int>(layers.size()));
  QStringList rows, columns;
  for (const Index layer : layers) rows << tr("layer %1").arg(layer);
  for (Index head = 0; head < most; ++head) columns << QString::number(head);
  m_map->setVerticalHeaderLabels(rows);
  m_map->setHorizontalHeaderLabels(columns);
  int row = -1;
  for (std::size_t i = 0; i < m_heads.heads.size(); ++i) {
    const CapturedHead& head = m_heads.heads[i];
    if (i == 0 || m_heads.heads[i - 1].layer != head.layer) ++row;
    auto* item = tableItem(QString(QLatin1Char(letter_of(head.role))), Qt::AlignHCenter);
    item->setData(headRole, static_cast<qlonglong>(i));
    item->setToolTip(describe(head));
    item->setData(Qt::AccessibleTextRole, describe(head));
    m_map->setItem(row, static_cast<int>(head.head), item);
  }
  const int width = m_map->fontMetrics().horizontalAdvance(QStringLiteral("0000"));
  for (int column = 0; column < m_map->columnCount(); ++column) m_map->setColumnWidth(column, width);
  colour();
  m_map->setCurrentCell(0, 0);
}

void HeadMap::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colour();
}

void HeadMap::colour() {
  const Palette& colours = currentPalette();
  for (int row = 0; row < m_map->rowCount(); ++row)
    for (int column = 0; column < m_map->columnCount(); ++column) {
      QTableWidgetItem* item = m_map->item(row, column);
      if (!item) continue;
      const auto& head = m_heads.heads[static_cast<std::size_t>(item->data(headRole).toLongLong())];
      item->setBackground(mixed(colours.panel, colourOf(head.role, colours), 0.35));
      item->setForeground(colours.text);
    }
}

void HeadMap::showCurrent() {
  const QTableWidgetItem* item = m_map->currentItem();
  m_current->setText(item ? item->toolTip() : QString());
}

void HeadMap::copyNumbers() { QApplication::clipboard()->setText(text(heads_csv(m_heads))); }

}  // namespace vqscope
