// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/inspector_panel.h"

#include "widgets/text.h"
#include "widgets/theme/fonts.h"
#include "widgets/view/block_summary.h"
#include "widgets/view/mask_insight.h"

#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace vqscope {
InspectorPanel::InspectorPanel(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(14, 12, 14, 12);
  layout->setSpacing(6);
  layout->addWidget(heading(tr("Under the cursor")));
  m_empty = paragraph();
  m_empty->setText(tr(
      "Move over a map or a curve to read it. In a map, click to pick a cell; the arrow keys move it, G goes to one."));
  layout->addWidget(m_empty);
  m_facts = new QFormLayout;
  m_facts->setHorizontalSpacing(12);
  m_facts->setVerticalSpacing(4);
  m_facts->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  layout->addLayout(m_facts);
  m_whyHeading = heading(tr("Why"));
  layout->addSpacing(6);
  layout->addWidget(m_whyHeading);
  m_why = paragraph();
  layout->addWidget(m_why);
  m_insight = new MaskInsight(this);
  layout->addWidget(m_insight);
  layout->addSpacing(6);
  m_blocks = new BlockSummary(this);
  layout->addWidget(m_blocks);
  layout->addWidget(heading(tr("About")));
  m_about = paragraph();
  layout->addWidget(m_about);
  layout->addSpacing(6);
  layout->addWidget(heading(tr("Source")));
  m_source = paragraph();
  layout->addWidget(m_source);
  layout->addStretch(1);
  showNothing();
}

QLabel* InspectorPanel::heading(const QString& text) {
  auto* label = new QLabel(text, this);
  label->setProperty("class", "heading");
  return label;
}

QLabel* InspectorPanel::paragraph() {
  auto* label = new QLabel(this);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setProperty("class", "secondary");
  return label;
}

void InspectorPanel::setMethod(const Method* method) {
  m_about->setText(method ? text(method->help) : QString());
  m_source->setText(method ? text(method->citation.paper) + tr(".\nArithmetic: ") + text(method->citation.reference) +
                                 QLatin1Char('.')
                           : QString());
}

void InspectorPanel::showCell(const CellReport& report) {
  m_empty->hide();
  while (m_facts->rowCount() > static_cast<int>(report.facts.size())) m_facts->removeRow(m_facts->rowCount() - 1);
  while (m_facts->rowCount() < static_cast<int>(report.facts.size())) {
    auto* name = new QLabel(this);
    name->setProperty("class", "secondary");
    auto* value = new QLabel(this);
    value->setFont(monospaceFont());
    value->setAlignment(Qt::AlignRight | Qt::AlignTop);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setWordWrap(true);
    m_facts->addRow(name, value);
  }
  int row = 0;
  for (const auto& [name, value] : report.facts) {
    static_cast<QLabel*>(m_facts->itemAt(row, QFormLayout::LabelRole)->widget())->setText(text(name));
    static_cast<QLabel*>(m_facts->itemAt(row, QFormLayout::FieldRole)->widget())->setText(text(value));
    ++row;
  }
  m_whyHeading->setVisible(!report.why.empty());
  m_why->setVisible(!report.why.empty());
  m_why->setText(text(report.why));
}

void InspectorPanel::setBlocks(std::shared_ptr<const BlockView> blocks) { m_blocks->setBlocks(std::move(blocks)); }

void InspectorPanel::showNothing() {
  while (m_facts->rowCount() > 0) m_facts->removeRow(0);
  m_empty->show();
  m_whyHeading->hide();
  m_why->hide();
}

}  // namespace vqscope
