// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/search_index.h"
#include "widgets/dialog/command_history.h"

#include <QLineEdit>

#include <functional>
#include <vector>

namespace vqscope {

class SearchPopup;

/// One entry of the search.
struct SearchEntry {
  SearchKind kind = SearchKind::action;
  QString title;
  QString name = {};    ///< shown in grey after the title: the id that files and scripts have
  QString detail = {};  ///< kind of the entry, shown in grey at the right
  QString keys = {};    ///< its shortcut
  std::function<void()> run = {};
  QString keywords = {};
  QString section = {};  ///< heading below which it stands before anything is typed; empty: only found
  QString id = {};       ///< remembered when it is chosen; empty: its kind and title
  bool enabled = true;   ///< disabled: shown and not run
  bool refused = false;  ///< the title says why what was typed cannot be done
};

/// Finds the entries by their titles, names and keywords.
SearchIndex searchIndexOf(const std::vector<SearchEntry>& entries, const CommandHistory& history = CommandHistory());

/// The field in the top bar that finds actions, pages, methods, values and the guide by any part of
/// their name. The entries that match stand in a list below it; Up, Down, Enter and the mouse choose
/// one. Before anything is typed the list has what was chosen last, and the sections of the entries.
class ActionSearch : public QLineEdit {
  Q_OBJECT
 public:
  using Source = std::function<std::vector<SearchEntry>()>;
  using TypedSource = std::function<std::vector<SearchEntry>(const QString& typed)>;

  explicit ActionSearch(QWidget* parent = nullptr);
  ~ActionSearch() override;

  void setEntries(std::vector<SearchEntry> entries);
  /// Entries are made when a search begins: a window does not wait for them, and pages differ.
  void setSource(Source source);
  /// Entries that are made of what is typed, such as "T 4096"; they come first.
  void setTyped(TypedSource typed) { m_typed = std::move(typed); }
  /// What is chosen is kept in this file.
  void setHistory(const QString& path) { m_history = CommandHistory(path); }
  const std::vector<SearchEntry>& entries() const { return m_entries; }
  /// The list below the field; null before anything was typed.
  SearchPopup* popup() const { return m_popup; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// A row of the list; a heading has only a title.
  struct Listed {
    SearchEntry entry;
    std::vector<std::size_t> marks = {};
    bool heading = false;
  };
  void refresh();
  void listFound();
  void listSections();
  void addSection(const QString& title, const std::vector<SearchEntry>& entries);
  const SearchEntry* findById(const QString& id) const;
  std::vector<SearchEntry> lastChosen() const;
  void showMatches();
  void runMatch(int row);
  void leave();

  Source m_source;  ///< empty: m_entries are all
  TypedSource m_typed;
  bool m_stale = false;  ///< entries must be made again
  std::vector<SearchEntry> m_entries;
  SearchIndex m_index;
  CommandHistory m_history;
  std::vector<Listed> m_listed;
  std::size_t m_more = 0;  ///< matches that are not listed
  SearchPopup* m_popup = nullptr;
};

}  // namespace vqscope
