// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include <functional>
#include <vector>

namespace vqscope {

class SearchPopup;

/// One entry of the search.
struct SearchEntry {
  QString title;
  QString detail;  ///< shortcut or kind of the entry, shown in grey at the right
  std::function<void()> run;
  QString keywords = {};  ///< found like words of the title, but after them
  int rank = 0;           ///< of two entries that match alike, the one with the higher rank is first
};

/// The entries that match what was typed, best first: indices into `entries`.
std::vector<std::size_t> matchingEntries(const std::vector<SearchEntry>& entries, const QString& typed);

/// The field in the top bar that finds actions, pages, methods, values and the guide by any part of
/// their name. The entries that match stand in a list below it; Up, Down, Enter and the mouse
/// choose one.
class ActionSearch : public QLineEdit {
  Q_OBJECT
 public:
  explicit ActionSearch(QWidget* parent = nullptr);
  ~ActionSearch() override;

  void setEntries(std::vector<SearchEntry> entries);
  /// Entries are made when a search begins: a window does not wait for them, and pages differ.
  void setSource(std::function<std::vector<SearchEntry>()> source);
  const std::vector<SearchEntry>& entries() const { return m_entries; }
  /// The list below the field; null before anything was typed.
  SearchPopup* popup() const { return m_popup; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void showMatches();
  void runMatch(int row);
  void leave();

  std::function<std::vector<SearchEntry>()> m_source;  ///< empty: m_entries are all
  bool m_stale = false;                                ///< entries must be made again
  std::vector<SearchEntry> m_entries;
  std::vector<std::size_t> m_matches;
  SearchPopup* m_popup = nullptr;
};

}  // namespace vqscope
