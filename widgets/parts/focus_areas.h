// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QPointer>

class QMainWindow;
class QWidget;

namespace vqscope {

/// The parts of a window that F6 goes round: its tool bars from above, the docks at the left, the page,
/// and the docks at the right and below, as far as they can be seen.
QList<QWidget*> focusAreas(const QMainWindow& window);

/// Moves the keyboard focus between them. An area gets it where it had it last; the page at first in
/// its largest widget, other areas in their first.
class AreaFocus : public QObject {
  Q_OBJECT
 public:
  /// The window owns it.
  explicit AreaFocus(QMainWindow* window);

  /// `by`: 1 for the next area, -1 for the one before.
  void step(int by);

 private:
  void remember(QWidget* focus);
  QWidget* stopIn(QWidget* area) const;

  QMainWindow* m_window;
  QHash<QWidget*, QPointer<QWidget>> m_last;  ///< by area
};

}  // namespace vqscope
