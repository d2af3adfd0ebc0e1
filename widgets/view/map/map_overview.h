// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/matrix_picture.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace vqscope {

/// A small picture of the whole matrix in a corner of a zoomed map, with the visible range, which
/// can be dragged. It is summarised exactly like the map, at a hundredth of its pixels, once for
/// each content and after the map itself.
class MapOverview : public QWidget {
  Q_OBJECT
 public:
  explicit MapOverview(QWidget* plot);

  void setSource(std::shared_ptr<const Field> field, Aggregate aggregate, const ColourScale& scale);
  /// The visible range, within a map at this place; nothing: the whole is visible, and the overview
  /// is hidden.
  void setVisibleRange(const std::optional<ViewRange>& range, const QRect& map);
  /// Makes the picture if it is needed and not up to date.
  void refresh();
  /// Whether it appears at all.
  void setWanted(bool wanted);

  const std::shared_ptr<const MatrixPicture>& picture() const { return m_picture; }
  /// The rectangle of the visible range, as painted.
  QRectF frame() const;
  bool isBusy() const { return m_scheduler.isBusy(); }

 signals:
  void rangeRequested(const vqscope::ViewRange& range);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  void centreAt(const QPointF& point);
  QSize sizeIn(const QRect& map) const;

  PictureRequest m_source;
  std::shared_ptr<const MatrixPicture> m_picture;
  std::optional<ViewRange> m_range;
  FieldScheduler m_scheduler;
  QPointF m_grab;  ///< the point that is held, from the centre of the frame
  bool m_wanted = true;
  bool m_stale = true;
};

}  // namespace vqscope
