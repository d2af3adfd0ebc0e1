// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"

#include <QProgressDialog>
#include <QTimer>

#include <atomic>
#include <functional>
#include <stop_token>

namespace vqscope {

/// Runs the work of an export or a report on a worker while the window stays alive under a progress
/// bar that can cancel; a window that closes cancels too.
class ExportRun : public QObject {
  Q_OBJECT
 public:
  ExportRun(const QString& path, QWidget* parent);

  std::stop_token token() const { return m_stop.get_token(); }
  void setFraction(double fraction) { m_fraction = fraction; }
  /// For requests: run().
  Offload offload();

  /// Returns when the work is done. If it is stopped, or if the application quits meanwhile,
  /// `WhenStopped` decides whether to wait for it.
  void run(const std::function<void()>& work, WhenStopped whenStopped);

  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QProgressDialog m_progress;
  QTimer m_ticker;
  std::stop_source m_stop;
  std::atomic<double> m_fraction = 0;
};

}  // namespace vqscope
