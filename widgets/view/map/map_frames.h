// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "widgets/plot/matrix_picture.h"
#include "widgets/session/field_scheduler.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace vqscope {

/// Pictures of a map, made in the background: a quick one after each change, and at rest finer ones
/// until one is exact. Changes that come together are one picture.
class MapFrames : public QObject {
  Q_OBJECT
 public:
  /// `makeRequest` gives the request when a picture begins; nothing: the map is empty or hidden.
  MapFrames(std::function<std::optional<PictureRequest>()> makeRequest, QObject* parent);

  /// Call when the content of the picture has changed.
  void request();
  /// Pictures made before are of older content.
  void setNew() { ++m_contents; }
  /// A picture was shown: finer ones follow if it is not exact.
  void shown(const MatrixPicture& picture);
  void stop();

  bool isBusy() const { return m_scheduler.isBusy() || m_requestTimer.isActive(); }
  /// Whether the last picture that was made is one of the newest content.
  bool isCurrent() const { return m_madeContent == m_contents; }
  /// From the last change to now, in milliseconds.
  double milliseconds() const { return static_cast<double>(m_clock.nsecsElapsed()) / 1e6; }

 signals:
  /// A first picture begins: its size is to be right.
  void beginning();
  /// Null: stopped before there was a picture.
  void made(const vqscope::Result<std::shared_ptr<const vqscope::MatrixPicture>>& picture);

 private:
  void begin();
  void refine();
  void draw(const PictureRequest& request, const PictureEffort& effort);

  std::function<std::optional<PictureRequest>()> m_makeRequest;
  FieldScheduler m_scheduler;
  QTimer m_requestTimer;
  QTimer m_refineTimer;
  std::size_t m_contents = 0;     ///< number of contents so far
  std::size_t m_madeContent = 0;  ///< the content of the last picture
  std::size_t m_refinements = 0;  ///< refinement of the last requested picture
  QElapsedTimer m_clock;
};

}  // namespace vqscope
