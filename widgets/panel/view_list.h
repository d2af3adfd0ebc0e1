// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <QListWidget>
#include <QPixmap>

#include <vector>

class QLineEdit;
class QTabBar;

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

/// The list at the left of a room with many methods, by group and with a filter. Choosing a line asks for its view of
/// the kind that is on screen, or for its first.
class ViewList : public QWidget {
  Q_OBJECT
 public:
  explicit ViewList(const QString& filterHint, QWidget* parent = nullptr);

  void setSubjects(std::vector<ListedSubject> subjects);
  /// Marks the line that the page shows.
  void setShown(const Method* method, const ParameterValues& values);
  void setPicture(const QString& id, const QPixmap& picture);
  const std::vector<ListedSubject>& subjects() const { return m_subjects; }
  /// The line on screen; null: none.
  const ListedSubject* shown() const;
  /// The number of its view on screen, or -1.
  int shownView() const { return m_view; }
  void askView(int number);

 signals:
  void viewAsked(const vqscope::ListedView& view);
  void shownChanged();

 private:
  void fill();
  void filter(const QString& typed);
  void choose(QListWidgetItem* item);
  int rowOf(const QString& id) const;

  QLineEdit* m_filter;
  QListWidget* m_list;
  std::vector<ListedSubject> m_subjects;
  QString m_shown;
  int m_view = -1;
};

}  // namespace vqscope
