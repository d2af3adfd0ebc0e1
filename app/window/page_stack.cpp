// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_stack.h"

#include "widgets/form/control/mask_text_edit.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/parts.h"

#include <QAbstractSpinBox>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// Less than the pages request: a narrow page leaves out its curves.
constexpr int leastPage = 220;  // pixels
/// A stack has the height of its highest page, also while another page is in front. With the tabs
/// of a room and four rows of the debugger it fits a window of 733 x 466, which is 1100 x 700 at
/// 150 %.
constexpr int leastHeight = 118;

/// A pause after the start in which the page of masks is made.
constexpr int beforePreparing = 700;  // milliseconds

}  // namespace

PageStack::PageStack(Workbench& workbench, QWidget* window)
    : m_workbench(workbench),
      m_window(window),
      m_pageStack(new QStackedWidget(window)),
      m_panelStack(new QStackedWidget(window)) {
  m_pageStack->setMinimumSize(leastPage, leastHeight);
  m_preparing.setSingleShot(true);
  m_preparing.setInterval(beforePreparing);
  connect(&m_preparing, &QTimer::timeout, this, &PageStack::prepareMasks);
  m_preparing.start();
}

PageStack::Entry& PageStack::entryOf(const std::string& id) {
  if (const auto there = m_entries.find(id); there != m_entries.end()) return there->second;
  Entry made;
  const PageInfo& info = *find_page_info(id);
  made.page = makeAddedPage(m_workbench, info, m_window);
  if (!made.page) made.page = makePage(m_workbench, info, m_window);
  made.panel = new ParameterPanel(m_workbench, info, m_window);
  m_pageStack->addWidget(made.page);
  m_panelStack->addWidget(scrolled(made.panel));
  forwardSignals(made.page);
  connect(made.panel, &ParameterPanel::notified, this, &PageStack::notified);
  connect(made.panel, &ParameterPanel::draftChanged, made.page, &PageWidget::setDraftProblem);
  connect(made.panel, &ParameterPanel::sideTurned, this, &PageStack::sideTurned);
  if (auto* source = made.panel->maskSource()) {
    connect(source, &MaskSource::tensorsRequested, this, &PageStack::tensorsRequested);
    connect(source, &MaskSource::fileRequested, this, &PageStack::fileRequested);
    connect(&source->reading(), &FileReading::lasting, this, &PageStack::readingLasts);
    connect(&source->reading(), &FileReading::ended, this, &PageStack::readingEnded);
    connect(source, &MaskSource::fileProblemChanged, made.page, &PageWidget::setFileProblem);
    connect(source, &MaskSource::opened, this, &PageStack::maskOpened);
    connect(source, &MaskSource::samplesChecked, this, &PageStack::samplesChecked);
  }
  if (const auto problem = m_fileProblems.find(id); problem != m_fileProblems.end())
    made.page->setFileProblem(problem->second);
  emit this->made(made.page);
  return m_entries[id] = made;
}

/// Ignores signals of hidden pages: a button that is pressed while its page is hidden still emits
/// clicked() when released.
template <class... Arguments>
void PageStack::forwardSignals(PageWidget* page, void (PageWidget::*from)(Arguments...),
                               void (PageStack::*to)(Arguments...)) {
  connect(page, from, this, [this, page, to](Arguments... arguments) {
    if (m_shown && m_shown->page == page) emit(this->*to)(arguments...);
  });
}

void PageStack::forwardSignals(PageWidget* page) {
  forwardSignals(page, &PageWidget::readoutShown, &PageStack::readoutShown);
  forwardSignals(page, &PageWidget::readoutPending, &PageStack::readoutPending);
  forwardSignals(page, &PageWidget::cellPicked, &PageStack::cellPicked);
  forwardSignals(page, &PageWidget::frameShown, &PageStack::frameShown);
  forwardSignals(page, &PageWidget::answered, &PageStack::answered);
  forwardSignals(page, &PageWidget::freshnessChanged, &PageStack::freshnessChanged);
  forwardSignals(page, &PageWidget::sidesChanged, &PageStack::sidesChanged);
  forwardSignals(page, &PageWidget::exportRequested, &PageStack::exportRequested);
  forwardSignals(page, &PageWidget::pinRequested, &PageStack::pinRequested);
  forwardSignals(page, &PageWidget::viewRequested, &PageStack::viewRequested);
  forwardSignals(page, &PageWidget::notified, &PageStack::notified);
  forwardSignals(page, &PageWidget::goToRequested, &PageStack::goToRequested);
}

bool PageStack::show(const std::string& id) {
  Entry& entry = entryOf(id);
  m_shown = &entry;
  const bool turned = m_pageStack->currentWidget() != entry.page;
  m_pageStack->setCurrentWidget(entry.page);
  m_panelStack->setCurrentIndex(m_pageStack->indexOf(entry.page));
  return turned;
}

std::vector<PageWidget*> PageStack::behind() const {
  std::vector<PageWidget*> pages;
  for (const PageInfo& info : page_infos())
    if (const auto made = m_entries.find(info.id); made != m_entries.end() && &made->second != m_shown)
      pages.push_back(made->second.page);
  return pages;
}

void PageStack::sync() {
  panel()->sync();
  page()->sync();
}

/// Half of the time from opening a mask to its picture is that of making the page.
void PageStack::prepareMasks() {
  if (!m_window->isVisible()) return;
  const Entry& entry = entryOf("masks");
  for (QWidget* part : {static_cast<QWidget*>(entry.page), static_cast<QWidget*>(entry.panel)})
    for (auto* each : part->findChildren<QWidget*>()) each->ensurePolished();
}

MaskSource* PageStack::maskSource() { return entryOf("masks").panel->maskSource(); }

bool PageStack::isReading() const {
  return std::ranges::any_of(m_entries, [](const auto& each) { return each.second.panel->isBusy(); });
}

void PageStack::stopReading() {
  for (auto& [id, entry] : m_entries)
    if (auto* source = entry.panel->maskSource()) source->stopReading();
}

void PageStack::forget() {
  for (auto& [id, entry] : m_entries) {
    entry.panel->forget();
    entry.page->forget();
  }
}

void PageStack::makeAnew(const std::vector<std::string>& ids) {
  for (const auto& id : ids) {
    const auto there = m_entries.find(id);
    if (there == m_entries.end()) continue;
    there->second.page->forget();
    if (&there->second == m_shown) there->second.page->sync();
  }
}

void PageStack::setFileProblem(const std::string& id, const QString& sentence) {
  if (std::exchange(m_fileProblems[id], sentence) == sentence) return;
  if (const auto there = m_entries.find(id); there != m_entries.end()) there->second.page->setFileProblem(sentence);
}

void PageStack::enterTyped() {
  QWidget* typed = m_window->focusWidget();
  if (auto* box = qobject_cast<QAbstractSpinBox*>(typed)) box->interpretText();  // on a page, which keeps the focus
  if (typed && m_panelStack->isAncestorOf(typed)) typed->clearFocus();
  // It may be typed in another view of the text.
  for (auto* text : m_panelStack->findChildren<MaskTextEdit*>()) text->finish();
}

bool PageStack::refuses() {
  const Freshness now = page()->freshness();
  const bool refused = now.isOutdated() && !now.isOnRequest;  // an export runs a measurement that is not done yet
  if (refused) emit notified(now.refusal(), true);
  return refused;
}

}  // namespace vqscope
