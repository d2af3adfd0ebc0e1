// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include <functional>
#include <vector>

class QCompleter;
class QStandardItemModel;

namespace vqscope {

/// One entry of the search.
struct SearchEntry {
  QString title;
  QString detail;  ///< shortcut or kind of the entry
  std::function<void()> run;
};

/// The field in the top bar that finds actions, pages and methods by any part of their name.
class ActionSearch : public QLineEdit {
  Q_OBJECT
 public:
  explicit ActionSearch(QWidget* parent = nullptr);
  void setEntries(std::vector<SearchEntry> entries);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showMatches(const QString& typed);
  void runEntry(const QString& shown);

  std::vector<SearchEntry> m_entries;
  QStandardItemModel* m_model;
  QCompleter* m_found;
};

}  // namespace vqscope
