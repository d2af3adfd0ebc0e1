// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/field_scheduler.h"
#include "widgets/thumbnail/thumbnail.h"

#include <QObject>

#include <deque>
#include <map>

namespace vqscope {

/// Makes small pictures off the GUI thread, one after the other, in the order of the requests, and
/// keeps them. A maker waits until start(), so that the first picture of a window does not wait for
/// thumbnails.
class ThumbnailMaker : public QObject {
  Q_OBJECT
 public:
  explicit ThumbnailMaker(QObject* parent = nullptr);

  /// Requests the picture of a key, and drops an earlier request under that key. ready() follows,
  /// later even if the same picture is there already. A null picture means that there is nothing to
  /// show.
  void request(const QString& key, const ThumbnailRequest& request);
  /// One matrix or plot in the current theme. `size` is in pixels of the device; `values` may leave
  /// out defaults.
  void request(const QString& key, const Method& method, const ParameterValues& values, const QSize& size,
               double pixelRatio = 1);

  /// Begins to work; requests wait before it.
  void start();
  bool isStarted() const { return m_started; }
  /// Whether all pictures are made.
  bool isIdle() const { return m_waiting.empty() && m_current.isEmpty(); }

  /// Drops the request of the key.
  void cancel(const QString& key);
  /// Drops all requests. Pictures that are made stay.
  void cancelAll();

  /// Null: not made yet, or nothing to show.
  QImage image(const QString& key) const;

 signals:
  void ready(const QString& key, const QImage& image);

 private:
  struct Made {
    ThumbnailRequest request;
    QImage image;
  };
  void next();
  void finish(const QString& key, const ThumbnailRequest& request, const QImage& image);

  FieldScheduler m_scheduler;
  std::deque<QString> m_waiting;                   ///< keys in order
  std::map<QString, ThumbnailRequest> m_requests;  ///< by key
  std::map<QString, Made> m_made;
  QString m_current;  ///< key of the picture that is being made; empty: none
  bool m_started = false;
};

}  // namespace vqscope
