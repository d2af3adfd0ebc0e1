// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"
#include "widgets/capture/capture_dialog.h"

#include <QObject>
#include <QPointer>

namespace vqscope {

/// Shows captures beside the window. The last one can be shown again after a layer of it was chosen.
class CaptureActions : public QObject {
  Q_OBJECT
 public:
  explicit CaptureActions(QWidget* window) : QObject(window), m_window(window) {}

  void show(const Capture& capture, std::optional<Index> layer);
  /// The one that made place for a layer.
  void showAgain();

 signals:
  void layerRequested(const QStringList& files);
  /// Whether there is a capture to show again.
  void hasCaptureChanged(bool has);

 private:
  QWidget* m_window;
  QPointer<CaptureDialog> m_dialog;
};

}  // namespace vqscope
