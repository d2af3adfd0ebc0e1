// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/sample_actions.h"

#include "app/window/page_stack.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/panel/parameter_panel.h"

#include <QAction>

#include <utility>

namespace vqscope {

SampleActions::SampleActions(PageStack& pages, QObject* parent) : QObject(parent), m_pages(pages) {
  const auto add = [this](const QString& title, const char* keys, Index samples, Index heads) {
    auto* action = new QAction(title, this);
    action->setShortcut(QKeySequence(QString::fromLatin1(keys)));
    connect(action, &QAction::triggered, this, [=, this] { step(samples, heads); });
    m_actions << action;
  };
  add(tr("Previous sample"), "Alt+PgUp", -1, 0);
  add(tr("Next sample"), "Alt+PgDown", 1, 0);
  add(tr("Previous head"), "Alt+Shift+PgUp", 0, -1);
  add(tr("Next head"), "Alt+Shift+PgDown", 0, 1);
  // After the docks have the mask of the page.
  connect(&pages, &PageStack::answered, this, &SampleActions::onAnswered, Qt::QueuedConnection);
  setBatch({});
}

void SampleActions::setBatch(const BatchOverview& batch) {
  m_batch = batch;
  for (qsizetype i = 0; i < m_actions.size(); ++i) m_actions[i]->setEnabled((i < 2 ? batch.samples : batch.heads) > 1);
}

/// Around at the end, which the message says.
void SampleActions::step(Index samples, Index heads) {
  const auto around = [](Index now, Index by, Index count) { return (now + by + count) % count; };
  const Index sample = around(m_batch.sample, samples, m_batch.samples);
  const Index head = around(m_batch.head, heads, m_batch.heads);
  const QString name = samples != 0 ? tr("Sample %1 of %2").arg(sample).arg(m_batch.samples)
                                    : tr("Head %1 of %2").arg(head).arg(m_batch.heads);
  const bool forwards = samples + heads > 0;
  const bool isAround =
      forwards ? sample + head < m_batch.sample + m_batch.head : sample + head > m_batch.sample + m_batch.head;
  const QString from = forwards ? tr("%1, from the first again") : tr("%1, from the last again");
  goTo(sample, head, std::nullopt, isAround ? from.arg(name) : name);
}

void SampleActions::goTo(Index sample, Index head, const std::optional<Cell>& cell, const QString& notice) {
  m_awaited.reset();
  auto* source = m_pages.panel()->maskSource();
  if (!source) return;
  if (sample == m_batch.sample && head == m_batch.head) {
    if (cell) emit cellRequested(*cell);
    return;
  }
  if (cell) m_awaited = Awaited{sample, head, *cell};
  source->chooseSample(sample, head, notice);
}

void SampleActions::onAnswered() {
  if (!m_awaited || !m_pages.page()->freshness().isCurrent()) return;
  if (m_awaited->sample != m_batch.sample || m_awaited->head != m_batch.head) return;
  emit cellRequested(std::exchange(m_awaited, std::nullopt)->cell);
}

}  // namespace vqscope
