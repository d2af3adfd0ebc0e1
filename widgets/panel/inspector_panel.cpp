// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/inspector_panel.h"

#include "widgets/mask/insight/block_summary.h"
#include "widgets/mask/insight/mask_insight.h"
#include "widgets/panel/notes_list.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/view/overlay.h"

#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int widestName = 120;  // pixels
constexpr int shownAfter = 200;  // milliseconds

/// Remarks of the method on each side, "A: … B: …" if there are two that differ; a sentence each.
QString remarksOf(const Method& method, const std::vector<ParameterValues>& sides, const std::stop_token& stop) {
  QStringList remarks;
  for (const auto& values : sides) {
    const std::string remark = method.remark(values, {.progress = {}, .stop = stop});
    if (stop.stop_requested()) return {};
    remarks << (remark.empty() || remark.ends_with('.') ? text(remark) : sentence(remark));
  }
  if (remarks.size() < 2 || remarks[0] == remarks[1]) return remarks.front();
  QStringList lines;
  for (qsizetype i = 0; i < remarks.size(); ++i)
    if (!remarks[i].isEmpty())
      lines << QStringLiteral("%1: %2").arg(i == 0 ? QLatin1Char('A') : QLatin1Char('B')).arg(remarks[i]);
  return lines.join(QStringLiteral("\n\n"));
}

}  // namespace

InspectorPanel::InspectorPanel(QWidget* parent)
    : QWidget(parent), m_overlay(new Overlay(this, Overlay::Banner::nowhere)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(14, 12, 14, 12);
  layout->setSpacing(6);
  // First, so that its button does not move with the length of what is below.
  m_insight = new MaskInsight(this);
  layout->addWidget(m_insight);
  m_notes = new NotesList(this);
  layout->addWidget(m_notes);
  layout->addWidget(heading(tr("Under the cursor"), this));
  m_empty = paragraph(this);
  m_empty->setText(
      tr("Move the pointer over a map or curve to read values. In a map, click to pick a cell, move it with the arrow "
         "keys, or press G to go to a cell."));
  layout->addWidget(m_empty);
  m_facts = new QFormLayout;
  m_facts->setHorizontalSpacing(12);
  m_facts->setVerticalSpacing(4);
  m_facts->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  layout->addLayout(m_facts);
  m_whyHeading = heading(tr("Why"), this);
  layout->addSpacing(6);
  layout->addWidget(m_whyHeading);
  m_why = paragraph(this);
  layout->addWidget(m_why);
  layout->addSpacing(6);
  m_blocks = new BlockSummary(this);
  layout->addWidget(m_blocks);
  layout->addWidget(heading(tr("About"), this));
  m_about = paragraph(this);
  layout->addWidget(m_about);
  m_remark = paragraph(this, "remark");
  m_remark->hide();
  layout->addWidget(m_remark);
  m_awaiting.setSingleShot(true);
  m_awaiting.setInterval(shownAfter);
  connect(&m_awaiting, &QTimer::timeout, this, [this] {
    if (!m_remarking.isBusy() || !m_remark->text().isEmpty()) return;
    m_remark->setText(tr("Computing…"));
    m_remark->show();
  });
  layout->addSpacing(6);
  layout->addWidget(heading(tr("Source"), this));
  m_source = paragraph(this);
  layout->addWidget(m_source);
  layout->addStretch(1);
  showNothing();
}

void InspectorPanel::setMethod(const Method* method, const ParameterValues& values,
                               const std::optional<ParameterValues>& other) {
  m_about->setText(method ? text(method->help) : QString());
  m_source->setText(method ? text(method->citation.paper) + tr(".\nArithmetic: ") + text(method->citation.reference) +
                                 QLatin1Char('.')
                           : QString());
  std::vector<ParameterValues> sides;
  if (method && method->remark) sides.push_back(carried_values(*method, values));
  if (!sides.empty() && other) sides.push_back(carried_values(*method, *other));
  requestRemark(method, std::move(sides));
}

/// A remark can need an experiment, and the mouse moves often: the method's previous remark stays,
/// greyed, until the new one is ready. Where there is none, a line says that one comes.
void InspectorPanel::requestRemark(const Method* method, std::vector<ParameterValues> sides) {
  if (method == m_remarked && sides == m_remarkedSides) return;
  if (method != m_remarked) showRemark({});
  m_remarked = method;
  m_remarkedSides = std::move(sides);
  if (m_remarkedSides.empty()) {
    m_remarking.stop();
    return showRemark({});
  }
  m_remark->setEnabled(false);
  m_awaiting.start();
  m_remarking.run<QString>(
      [method, of = m_remarkedSides](std::stop_token stop) { return remarksOf(*method, of, stop); },
      [this](const QString& remark) {
        if (!m_remarking.isBusy()) showRemark(remark);
      });
}

void InspectorPanel::showRemark(const QString& remark) {
  m_remark->setEnabled(true);
  m_remark->setText(remark);
  m_remark->setVisible(!remark.isEmpty());
}

void InspectorPanel::setFreshness(const Freshness& freshness) {
  m_given = freshness;
  m_insight->setFreshness(freshness);
  showFreshness();
}

void InspectorPanel::awaitCell() {
  m_awaited = true;
  showFreshness();
}

void InspectorPanel::showFreshness() {
  m_overlay->setFreshness(worse(m_given, m_awaited ? Freshness::computing() : Freshness()));
}

bool InspectorPanel::isBusy() const { return m_remarking.isBusy() || m_blocks->isBusy() || m_insight->isBusy(); }

/// Unneeded rows are hidden, not deleted: this runs when the mouse leaves a map, while Qt delivers
/// the enter event to a label.
void InspectorPanel::showFacts(const Facts& facts) {
  while (m_facts->rowCount() < static_cast<int>(facts.size())) {
    auto* name = new QLabel(this);
    name->setProperty("class", "secondary");
    auto* value = factValue(this);
    value->setWordWrap(true);
    m_facts->addRow(name, value);
  }
  int row = 0;
  for (const auto& [name, value] : facts) {
    // A term's name may be a whole expression.
    auto* label = static_cast<QLabel*>(m_facts->itemAt(row, QFormLayout::LabelRole)->widget());
    label->setText(label->fontMetrics().elidedText(text(name), Qt::ElideMiddle, widestName));
    label->setToolTip(label->text() == text(name) ? QString() : text(name));
    static_cast<QLabel*>(m_facts->itemAt(row, QFormLayout::FieldRole)->widget())->setText(text(value));
    m_facts->setRowVisible(row++, true);
  }
  for (; row < m_facts->rowCount(); ++row) m_facts->setRowVisible(row, false);
}

void InspectorPanel::showCell(const CellReport& report) {
  m_awaited = false;
  showFreshness();
  m_empty->hide();
  showFacts(report.facts);
  m_whyHeading->setVisible(!report.why.empty());
  m_why->setVisible(!report.why.empty());
  m_why->setText(text(report.why));
}

void InspectorPanel::setBlocks(std::shared_ptr<const BlockView> blocks) { m_blocks->setBlocks(std::move(blocks)); }

void InspectorPanel::showNothing() {
  m_awaited = false;
  showFreshness();
  showFacts({});
  m_empty->show();
  m_whyHeading->hide();
  m_why->hide();
}

}  // namespace vqscope
