// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/action_search.h"

#include "widgets/dialog/search_popup.h"
#include "widgets/parts/text.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t mostMatches = 50;
constexpr std::size_t mostOfSection = 8;
constexpr std::size_t mostLast = 5;
constexpr QLatin1String typedId("typed:");

QString idOf(const SearchEntry& entry) {
  return entry.id.isEmpty() ? QStringLiteral("%1:%2").arg(static_cast<int>(entry.kind)).arg(entry.title) : entry.id;
}

SearchText textOf(const SearchEntry& entry, const CommandHistory& history) {
  return {entry.kind, entry.title.toStdString(), entry.name.toStdString(), entry.keywords.toStdString(),
          history.uses(idOf(entry))};
}

/// The characters of a text at some of its bytes.
QList<int> charactersAt(const std::vector<std::size_t>& bytes, const QString& text) {
  QList<int> characters;
  std::size_t at = 0;
  for (qsizetype i = 0; i < text.size() && !bytes.empty(); ++i) {
    if (std::ranges::binary_search(bytes, at)) characters << static_cast<int>(i);
    const bool pair = text[i].isHighSurrogate() && i + 1 < text.size();
    at += static_cast<std::size_t>(QStringView(text).mid(i, pair ? 2 : 1).toUtf8().size());
    if (pair) ++i;
  }
  return characters;
}

SearchRow rowOf(const SearchEntry& entry, const std::vector<std::size_t>& marks) {
  SearchRow row{text(shown_title(textOf(entry, CommandHistory()))), entry.detail, entry.keys};
  if (row.title != entry.title) row.greyFrom = entry.title.size();
  row.marks = charactersAt(marks, row.title);
  row.look = entry.refused    ? SearchRow::Look::refused
             : !entry.enabled ? SearchRow::Look::disabled
                              : SearchRow::Look::normal;
  return row;
}

}  // namespace

SearchIndex searchIndexOf(const std::vector<SearchEntry>& entries, const CommandHistory& history) {
  std::vector<SearchText> texts;
  texts.reserve(entries.size());
  for (const SearchEntry& entry : entries) texts.push_back(textOf(entry, history));
  return SearchIndex(std::move(texts));
}

ActionSearch::ActionSearch(QWidget* parent) : QLineEdit(parent) {
  setAccessibleName(tr("Search actions, methods, values and the guide"));
  setClearButtonEnabled(true);
  connect(this, &QLineEdit::textEdited, this, &ActionSearch::showMatches);
}

ActionSearch::~ActionSearch() = default;

/// The longest hint that fits.
void ActionSearch::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  constexpr int around = 30;  // margins and border of the style sheet
  QStringList hints{tr("Search, or set a value  Ctrl+Shift+P"), tr("Search  Ctrl+Shift+P"), tr("Search")};
  while (hints.size() > 1 && fontMetrics().horizontalAdvance(hints.front()) > width() - around) hints.removeFirst();
  setPlaceholderText(hints.front());
}

void ActionSearch::setEntries(std::vector<SearchEntry> entries) {
  m_entries = std::move(entries);
  m_index = searchIndexOf(m_entries, m_history);
  m_listed.clear();
  if (m_popup) m_popup->hide();
}

void ActionSearch::setSource(Source source) {
  setEntries({});
  m_source = std::move(source);
  m_stale = true;
}

void ActionSearch::refresh() {
  if (m_source && std::exchange(m_stale, false)) setEntries(m_source());
}

void ActionSearch::listFound() {
  if (m_typed)
    for (SearchEntry& entry : m_typed(text())) m_listed.push_back({std::move(entry)});
  const auto hits = m_index.find(text().toStdString());
  for (const SearchHit& hit : hits)
    if (m_listed.size() < mostMatches) m_listed.push_back({m_entries[hit.index], hit.marks});
  m_more = hits.size() > mostMatches ? hits.size() - mostMatches : 0;
}

const SearchEntry* ActionSearch::findById(const QString& id) const {
  const auto found = std::ranges::find_if(m_entries, [&](const SearchEntry& entry) { return idOf(entry) == id; });
  return found == m_entries.end() ? nullptr : &*found;
}

/// What pages and files have now of what was chosen last.
std::vector<SearchEntry> ActionSearch::lastChosen() const {
  std::vector<SearchEntry> last;
  for (const auto& used : m_history.all()) {
    if (last.size() == mostLast) break;
    if (const SearchEntry* entry = findById(used.id); entry && entry->enabled) last.push_back(*entry);
    if (!m_typed || !used.id.startsWith(typedId)) continue;
    const auto made = m_typed(used.id.mid(typedId.size()));
    if (!made.empty() && made.front().enabled && !made.front().refused) last.push_back(made.front());
  }
  return last;
}

void ActionSearch::addSection(const QString& title, const std::vector<SearchEntry>& entries) {
  if (entries.empty()) return;
  m_listed.push_back({.entry = {.title = title}, .heading = true});
  for (const SearchEntry& entry : entries) m_listed.push_back({entry});
}

/// What stands in an earlier section is not repeated.
void ActionSearch::listSections() {
  const auto last = lastChosen();
  addSection(tr("Recent"), last);
  QStringList listed, titles;
  for (const SearchEntry& entry : last) listed << idOf(entry);
  for (const SearchEntry& entry : m_entries)
    if (!entry.section.isEmpty() && !titles.contains(entry.section)) titles << entry.section;
  for (const QString& title : titles) {
    std::vector<SearchEntry> entries;
    for (const SearchEntry& entry : m_entries)
      if (entry.section == title && entry.enabled && entries.size() < mostOfSection && !listed.contains(idOf(entry)))
        entries.push_back(entry);
    addSection(title, entries);
  }
}

void ActionSearch::showMatches() {
  refresh();
  if (!m_popup) {
    m_popup = new SearchPopup(*this);
    connect(m_popup, &SearchPopup::chosen, this, &ActionSearch::runMatch);
  }
  m_listed.clear();
  m_more = 0;
  const bool typed = !text().trimmed().isEmpty();
  typed ? listFound() : listSections();
  std::vector<SearchRow> rows;
  for (const Listed& each : m_listed) {
    rows.push_back(rowOf(each.entry, each.marks));
    if (each.heading) rows.back().look = SearchRow::Look::heading;
  }
  QString remark;
  if (!typed)
    remark = tr("Type an action, a view or a value. T 4096 sets T, rope 2M opens RoPE.");
  else if (rows.empty())
    remark = tr("Nothing matches %1.").arg(text().trimmed().left(40));
  else if (m_more > 0)
    remark = tr("%1 more: type another letter.").arg(m_more);
  m_popup->show(rows, remark);
}

void ActionSearch::keyPressEvent(QKeyEvent* event) {
  const bool open = m_popup && m_popup->isVisible();
  switch (event->key()) {
    case Qt::Key_Escape: return leave();
    case Qt::Key_Return:
    case Qt::Key_Enter:
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

/// The entry may replace all entries, so it is taken out of them first. One that cannot be run stays
/// in view: its title says why.
void ActionSearch::runMatch(int row) {
  if (row < 0 || static_cast<std::size_t>(row) >= m_listed.size()) return;
  const SearchEntry entry = m_listed[static_cast<std::size_t>(row)].entry;
  if (!entry.run || !entry.enabled || entry.refused) return;
  leave();
  if (const auto kept = m_history.add(idOf(entry)); !kept) qWarning("vqscope: %s", kept.error().message.c_str());
  entry.run();
}

}  // namespace vqscope
