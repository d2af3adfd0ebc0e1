// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"
#include "core/io/watch/watched_folder.h"
#include "widgets/session/field_scheduler.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>

namespace vqscope {

/// Follows a folder without capture.json, into which steps are still written. A step is shown once a
/// later one has begun; before, the first is shown with the layers that it has.
class CaptureWatch : public QObject {
  Q_OBJECT
 public:
  explicit CaptureWatch(std::shared_ptr<const Capture> shown, QObject* parent = nullptr);

  bool isWatching() const { return m_looks.isActive(); }
  /// Looks now, and as if files had settled meanwhile.
  void lookNow();

  /// What is to be shown after `shown`; null: nothing else.
  static std::shared_ptr<const Capture> after(const Capture& shown);

 signals:
  void captureGrew(const std::shared_ptr<const vqscope::Capture>& capture);

 private:
  void look(Index ahead);
  void take(const std::shared_ptr<const Capture>& next);

  std::shared_ptr<const Capture> m_shown;
  std::shared_ptr<WatchedFolder> m_folder;  ///< belongs to the look that is in progress
  QTimer m_looks;
  QElapsedTimer m_clock;
  Index m_ahead = 0;  ///< of the clock, after lookNow()
  FieldScheduler m_work;
};

}  // namespace vqscope
