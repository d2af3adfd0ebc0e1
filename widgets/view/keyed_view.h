// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace vqscope {

/// A view with keys of its own, around a plot whose events it filters. A line at its top marks that
/// it has the keyboard focus.
class KeyedView : public QWidget {
 public:
  explicit KeyedView(QWidget* parent);

 protected:
  static constexpr int focusLine = 2;  ///< pixels to leave free at the top

  /// Takes the context menu of the plot as its own.
  bool eventFilter(QObject* watched, QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace vqscope
