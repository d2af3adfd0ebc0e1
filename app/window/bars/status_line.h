// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/workspace_page.h"

#include <QStatusBar>

class QLabel;

namespace vqscope {

/// The line below the page: the value of the cell under the mouse, and exactness and time of the last frame of a map.
class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  explicit StatusLine(QWidget* parent);

  /// Nothing: the mouse is not on a cell.
  void showReadout(const std::optional<Readout>& readout);
  /// The readout is still being computed.
  void awaitReadout();
  void showFrame(const FrameReport& report);
  /// For pages of curves, which have no frames.
  void clearFrame();
  /// Greyed: the readout belongs to previous values.
  void setCurrent(bool current);

 private:
  QLabel* m_readout;
  QLabel* m_exact;
  QLabel* m_frame;
  QLabel* m_bytes;
};

}  // namespace vqscope
