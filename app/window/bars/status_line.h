// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/workspace_page.h"

#include <QStatusBar>

class QLabel;

namespace vqscope {

/// The line below the page: what the cell under the mouse holds, and how the last frame of a map did.
class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  explicit StatusLine(QWidget* parent);

  /// Nothing: the mouse is on no cell.
  void showReadout(const std::optional<Readout>& readout);
  /// The readout takes its time.
  void awaitReadout();
  void showFrame(const FrameReport& report);
  /// Pages of curves have no frames.
  void clearFrame();
  /// Greyed: the readout is of former values.
  void setCurrent(bool current);

 private:
  QLabel* m_readout;
  QLabel* m_exact;
  QLabel* m_frame;
  QLabel* m_bytes;
};

}  // namespace vqscope
