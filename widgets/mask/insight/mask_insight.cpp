// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/insight/mask_insight.h"

#include "core/base/text.h"
#include "core/mask/recognise/relation.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace vqscope {
namespace {

QVBoxLayout* columnOf(QWidget* widget) {
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 6);
  column->setSpacing(6);
  return column;
}

}  // namespace

MaskInsight::MaskInsight(QWidget* parent) : QWidget(parent), m_comparison(new QWidget(this)) {
  auto* layout = columnOf(this);
  auto* compared = columnOf(m_comparison);
  compared->addWidget(heading(tr("A and B"), m_comparison));
  m_counts = paragraph(m_comparison);
  compared->addWidget(m_counts);
  m_go = new QPushButton(tr("Go to the first difference"), m_comparison);
  compared->addWidget(m_go);
  m_panelA = addPanel(false);
  m_panelB = addPanel(true);
  layout->addWidget(m_comparison);  // below the buttons, because its length changes
  connect(m_go, &QPushButton::clicked, this, &MaskInsight::goToFirstDifference);
  setMasks(nullptr, nullptr);
}

RecognitionPanel* MaskInsight::addPanel(bool second) {
  auto* panel = new RecognitionPanel(this);
  layout()->addWidget(panel);
  connect(panel, &RecognitionPanel::cellPicked, this, &MaskInsight::cellPicked);
  connect(panel, &RecognitionPanel::refused, this, [this](const QString& sentence) { emit notified(sentence, true); });
  connect(panel, &RecognitionPanel::textWanted, this,
          [this, second](const Recognition& found) { emit textWanted(found, second); });
  return panel;
}

void MaskInsight::setMasks(std::shared_ptr<const Mask> mask, std::shared_ptr<const Mask> second) {
  const bool newPair = mask != m_mask || second != m_second;
  m_mask = std::move(mask);
  m_second = std::move(second);
  setVisible(m_mask != nullptr);
  m_panelA->setTitle(m_second ? tr("Mask A") : tr("This mask"));
  m_panelB->setTitle(tr("Mask B"));
  m_panelA->setMask(m_mask);
  m_panelB->setMask(m_second);
  m_panelB->setVisible(m_second != nullptr);
  if (newPair) compare();
  showDifference();
}

void MaskInsight::setFreshness(const Freshness& freshness) {
  m_freshness = freshness;
  for (auto* panel : {m_panelA, m_panelB}) panel->setFreshness(freshness);
  if (freshness.isOutdated()) m_goWhenCurrent = false;
  if (freshness.isCurrent() && std::exchange(m_goWhenCurrent, false)) goToFirstDifference();
}

void MaskInsight::compare() {
  m_comparing.stop();
  m_difference.reset();
  m_goWhenCompared = false;
  if (!m_mask || !m_second) return;
  m_relation.clear();
  struct Compared {
    Result<MaskComparison> cells = MaskComparison();
    std::string relation = {};
  };
  m_comparing.run<Compared>(
      [first = m_mask, second = m_second](const std::stop_token& stop) {
        auto cells = compare_masks(*first, *second, {.progress = {}, .stop = stop});
        const bool differ = cells && !cells->equal();
        return Compared{std::move(cells), differ ? relation_of(*first, *second, "A", "B", stop) : ""};
      },
      [this, first = m_mask, second = m_second](const Compared& compared) {
        if (first != m_mask || second != m_second) return;
        m_difference = compared.cells;
        m_relation = compared.relation.empty() ? QString() : sentence(compared.relation);
        showDifference();
        if (std::exchange(m_goWhenCompared, false)) goToFirstDifference();
      });
}

void MaskInsight::showDifference() {
  m_comparison->setVisible(m_mask && m_second);
  const bool differ = m_difference && *m_difference && !(*m_difference)->equal();
  m_go->setVisible(differ);
  if (!m_difference)
    m_counts->setText(tr("Comparing…"));
  else
    m_counts->setText((m_relation.isEmpty() ? QString() : m_relation + QLatin1Char('\n')) +
                      sentence(*m_difference ? (*m_difference)->sentence("A", "B") : m_difference->error().message));
}

void MaskInsight::goToFirstDifference() {
  if (m_freshness.isOutdated()) return emit notified(m_freshness.refusal(), true);
  m_goWhenCurrent = !m_freshness.isCurrent();
  if (m_goWhenCurrent) return;
  if (!m_mask || !m_second)
    return emit notified(tr("No second mask to compare with: choose A beside B or A − B"), true);
  m_goWhenCompared = !m_difference;
  if (!m_difference || !*m_difference) return;
  const MaskComparison& difference = **m_difference;
  if (!difference.first) return emit notified(tr("The masks are equal"), false);
  emit cellPicked({difference.first->q, difference.first->kv});
}

void MaskInsight::recogniseMasks() {
  if (m_freshness.isOutdated()) return emit notified(m_freshness.refusal(), true);
  if (!m_mask && m_freshness.isCurrent()) return emit notified(tr("No mask is shown on this page"), true);
  for (auto* panel : {m_panelA, m_panelB}) panel->recogniseMask();
}

}  // namespace vqscope
