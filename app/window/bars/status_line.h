// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/page_widget.h"

#include <QStatusBar>

class QAction;
class QLabel;

namespace vqscope {

class ElidingLabel;
class MessageBar;

/// The line below the page: the value of the cell under the mouse, or how to read one, messages, and
/// whether the last frame of a map was exact. Time and memory of the frame are shown on request. A
/// message has the place beside the readout, or that of the readout if it is long.
class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  explicit StatusLine(QWidget* parent);

  /// Empty: the mouse is not on a cell.
  void showReadout(const std::optional<Readout>& readout);
  /// The readout is still being computed.
  void awaitReadout();
  void showFrame(const FrameReport& report);
  /// For pages of curves, which have no frames.
  void clearFrame();
  /// Greyed: the readout belongs to previous values.
  void setCurrent(bool current);
  MessageBar* message() const { return m_message; }
  /// Shows time and memory of frames; not by default.
  QAction* frameAction() const { return m_showFrame; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showHint();
  void fitMessage();

  ElidingLabel* m_readout;
  MessageBar* m_message;
  QLabel* m_exact;
  QLabel* m_frame;
  QLabel* m_bytes;
  QAction* m_showFrame;
};

}  // namespace vqscope
