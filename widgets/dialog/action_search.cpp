// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/action_search.h"

#include "core/base/word_match.h"
#include "widgets/dialog/search_popup.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t mostMatches = 50;
/// Matches of an entry's keywords come after matches of its title.
constexpr int keywordPenalty = 30;

int matchOf(const SearchEntry& entry, const std::string& typed) {
  const std::string title = entry.title.toStdString();
  const int match = word_match(typed, title);
  if (match > 0 || entry.keywords.isEmpty()) return match;
  const int all = word_match(typed, title + " " + entry.keywords.toStdString());
  return all > 0 ? std::max(1, all - keywordPenalty) : 0;
}

}  // namespace

std::vector<std::size_t> matchingEntries(const std::vector<SearchEntry>& entries, const QString& typed) {
  const std::string words = typed.toStdString();
  std::vector<std::pair<int, std::size_t>> found;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const int match = matchOf(entries[i], words); match > 0) found.emplace_back(match + entries[i].rank, i);
  std::ranges::stable_sort(found, std::greater<>(), &std::pair<int, std::size_t>::first);
  std::vector<std::size_t> matches;
  for (const auto& [match, index] : found) matches.push_back(index);
  return matches;
}

ActionSearch::ActionSearch(QWidget* parent) : QLineEdit(parent) {
  setPlaceholderText(tr("Search actions, values, guide  Ctrl+Shift+P"));
  setAccessibleName(tr("Search actions, methods, values and the guide"));
  setClearButtonEnabled(true);
  connect(this, &QLineEdit::textEdited, this, &ActionSearch::showMatches);
}

ActionSearch::~ActionSearch() = default;

void ActionSearch::setEntries(std::vector<SearchEntry> entries) {
  m_entries = std::move(entries);
  m_matches.clear();
  if (m_popup) m_popup->hide();
}

void ActionSearch::setSource(std::function<std::vector<SearchEntry>()> source) {
  setEntries({});
  m_source = std::move(source);
  m_stale = true;
}

void ActionSearch::showMatches() {
  if (m_source && std::exchange(m_stale, false)) setEntries(m_source());
  if (!m_popup) {
    m_popup = new SearchPopup(*this);
    connect(m_popup, &SearchPopup::chosen, this, &ActionSearch::runMatch);
  }
  m_matches = matchingEntries(m_entries, text());
  const auto all = m_matches.size();
  if (all > mostMatches) m_matches.resize(mostMatches);
  std::vector<SearchPopup::Row> rows;
  for (const std::size_t match : m_matches) rows.push_back({m_entries[match].title, m_entries[match].detail});
  QString remark;
  if (text().trimmed().isEmpty())
    remark = tr("Type an action, a method, a value such as yarn, packed or dark, or a word of the guide.");
  else if (rows.empty())
    remark = tr("Nothing matches %1.").arg(text().trimmed().left(40));
  else if (all > rows.size())
    remark = tr("%1 more: type another letter.").arg(all - rows.size());
  m_popup->show(rows, remark);
}

void ActionSearch::keyPressEvent(QKeyEvent* event) {
  const bool open = m_popup && m_popup->isVisible();
  switch (event->key()) {
    case Qt::Key_Escape: return leave();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (text().trimmed().isEmpty()) return;
      if (!open) showMatches();
      return runMatch(m_popup->current());
    case Qt::Key_Down: return open ? m_popup->move(1) : showMatches();
    case Qt::Key_Up: return open ? m_popup->move(-1) : showMatches();
    case Qt::Key_PageDown: return open ? m_popup->move(8) : showMatches();
    case Qt::Key_PageUp: return open ? m_popup->move(-8) : showMatches();
    default: QLineEdit::keyPressEvent(event);
  }
}

void ActionSearch::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  m_stale = true;
  if (event->reason() == Qt::ShortcutFocusReason || event->reason() == Qt::MouseFocusReason) showMatches();
}

void ActionSearch::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  if (m_popup && event->reason() != Qt::PopupFocusReason) m_popup->hide();
}

void ActionSearch::leave() {
  clear();
  m_stale = true;
  if (m_popup) m_popup->hide();
  clearFocus();
}

/// The entry may replace all entries, so it is taken out of them first.
void ActionSearch::runMatch(int row) {
  if (row < 0 || static_cast<std::size_t>(row) >= m_matches.size()) return;
  const auto run = m_entries[m_matches[static_cast<std::size_t>(row)]].run;
  leave();
  if (run) run();
}

}  // namespace vqscope
