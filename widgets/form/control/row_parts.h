// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "widgets/parts/eliding_label.h"

#include <QAbstractButton>
#include <QWidget>

namespace vqscope {

/// A parameter's title and, while the mouse is on its row or all names are shown, its parameter name
/// in grey if different. Without enough width, the name is cut first.
class RowLabel : public QWidget {
  Q_OBJECT
 public:
  explicit RowLabel(const ParameterSpec& spec, QWidget* parent = nullptr);

  /// Shows the names of all parameters; not by default.
  static void setNamesShown(bool shown);
  static bool namesShown();
  /// The mouse is on the row.
  void setHovered(bool hovered);
  /// Only the grey name, for a control that shows the title itself.
  void hideTitle();

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_title;
  QString m_name;
  bool m_hovered = false;
};

/// The dot before a parameter whose value is not the default; a click resets it. At the default
/// value, the dot is invisible, keeps its space, and ignores mouse and keyboard.
class ResetDot : public QAbstractButton {
  Q_OBJECT
 public:
  static constexpr int room = 14;  ///< the margin on the left of a form

  explicit ResetDot(QWidget* parent = nullptr);
  QSize sizeHint() const override { return {room, room}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// The chain behind a parameter that all pages share: closed if the page takes the shared value,
/// open if it has a value of its own. A click changes that. For other parameters, the button is
/// invisible and keeps its space.
class ChainButton : public QAbstractButton {
  Q_OBJECT
 public:
  enum class State { none, linked, own };

  explicit ChainButton(QWidget* parent = nullptr);
  void setState(State state);
  State state() const { return m_state; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  State m_state = State::none;
};

/// The error of a row of a form, in the gap below the row. It takes no space in the layout and no
/// clicks, so that a click on the next field does not miss it. If there is no room for the
/// sentence, it leaves out what the row shows; over a text of several lines it is whole.
class ErrorLine : public ElidingLabel {
  Q_OBJECT
 public:
  /// Lies over the parent of the row.
  explicit ErrorLine(QWidget* row);

  /// Empty: none.
  void showSentence(const QString& sentence, bool isWarning = false);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  QString shownText() const override;

 private:
  void place();
  bool isWrapped() const { return height() > fontMetrics().height(); }

  QWidget* m_row;
};

}  // namespace vqscope
