// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <QListWidget>
#include <QPixmap>

#include <optional>
#include <vector>

class QLineEdit;

namespace vqscope {

/// One picture of a subject: a method, and the values that turn it to this subject.
struct ListedView {
  QString title;
  const Method* method = nullptr;
  ParameterValues values;  ///< only those to set
};

/// A line of the list: an encoding, a scaling, a kind of attention.
struct ListedSubject {
  QString id;
  QString title;
  QString group;
  QString detail;  ///< a second line in grey
  QString tip;
  std::vector<ListedView> views;  ///< at least one
};

/// The list at the left of a room with many methods, by group and with a filter. Choosing a line
/// requests its view of the kind that is on screen, or its first.
class ViewList : public QWidget {
  Q_OBJECT
 public:
  explicit ViewList(const QString& filterHint, QWidget* parent = nullptr);

  void setSubjects(std::vector<ListedSubject> subjects);
  /// Marks the line that the page shows: the requested one if the page has its values, else the one
  /// with most of the page's values.
  void setShown(const Method* method, const ParameterValues& values);
  void setPicture(const QString& id, const QPixmap& picture);
  const std::vector<ListedSubject>& subjects() const { return m_subjects; }
  /// The height that shows all lines that the filter leaves.
  int wholeHeight() const;
  bool isFiltered() const;
  /// The line on screen; null: none.
  const ListedSubject* shown() const;
  /// The number of its view on screen, or -1.
  int shownView() const { return m_shown ? static_cast<int>(m_shown->view) : -1; }
  void requestView(int number);

 signals:
  /// Call setShown() after the answer, also if the view is refused.
  void viewRequested(const vqscope::ListedView& view);
  /// shown() or shownView() has changed.
  void shownChanged();
  /// wholeHeight() may have changed.
  void filtered();

 private:
  /// A line and one of its views. The two change together.
  struct Place {
    std::size_t subject = 0;
    std::size_t view = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  void fill();
  void filter(const QString& typed);
  void choose(QListWidgetItem* item);
  void mark(const std::optional<Place>& place);
  void request(const Place& place);
  int rowOf(const QString& id) const;

  QLineEdit* m_filter;
  QListWidget* m_list;
  std::vector<ListedSubject> m_subjects;
  std::optional<Place> m_shown;
  std::vector<std::vector<int>> m_likeness;  ///< of every view to the page, by line, at the last setShown()
  bool m_requested = false;                  ///< m_shown was requested after the last setShown()
};

}  // namespace vqscope
