// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/action_search.h"

#include <QCompleter>
#include <QKeyEvent>
#include <QStandardItemModel>
#include <QTimer>
#include <QToolTip>

namespace vqscope {
namespace {

QString shownText(const SearchEntry& entry) {
  return entry.detail.isEmpty() ? entry.title : QStringLiteral("%1   ·   %2").arg(entry.title, entry.detail);
}

}  // namespace

ActionSearch::ActionSearch(QWidget* parent) : QLineEdit(parent), m_model(new QStandardItemModel(this)) {
  setPlaceholderText(tr("Search actions and methods  Ctrl+Shift+P"));
  setAccessibleName(tr("Search actions and methods"));
  setClearButtonEnabled(true);
  auto* found = m_found = new QCompleter(m_model, this);
  found->setCaseSensitivity(Qt::CaseInsensitive);
  found->setFilterMode(Qt::MatchContains);
  found->setMaxVisibleItems(12);
  setCompleter(found);
  connect(found, qOverload<const QString&>(&QCompleter::activated), this, &ActionSearch::runEntry);
  connect(this, &QLineEdit::textEdited, this, &ActionSearch::showMatches);
  connect(this, &QLineEdit::returnPressed, this, [this, found] {
    if (found->completionCount() > 0 && !text().isEmpty()) runEntry(found->currentCompletion());
  });
}

void ActionSearch::setEntries(std::vector<SearchEntry> entries) {
  m_entries = std::move(entries);
  m_model->clear();
  for (const auto& entry : m_entries) m_model->appendRow(new QStandardItem(shownText(entry)));
}

/// Says that nothing matches: an empty list would look as if results were still loading.
void ActionSearch::showMatches(const QString& typed) {
  m_found->setCompletionPrefix(typed);
  const bool none = !typed.isEmpty() && m_found->completionCount() == 0;
  if (none)
    QToolTip::showText(mapToGlobal(QPoint(0, height())), tr("Nothing matches %1").arg(typed), this);
  else
    QToolTip::hideText();
}

void ActionSearch::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QLineEdit::keyPressEvent(event);
  clear();
  QToolTip::hideText();
  clearFocus();
}

void ActionSearch::runEntry(const QString& shown) {
  for (const auto& entry : m_entries) {
    if (shownText(entry) != shown) continue;
    // The completer writes its choice into the field after this; empty the field then, and leave it.
    QTimer::singleShot(0, this, [this] {
      clear();
      clearFocus();
    });
    return entry.run();
  }
}

}  // namespace vqscope
