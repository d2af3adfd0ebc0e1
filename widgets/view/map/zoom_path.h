// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "widgets/view/map/zoom_trail.h"

#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace vqscope {

/// Position of a zoomed map: "‹  All › q 8 192–16 383, k 0–8 191". Lies over the line of the upper
/// axis title, or over it, so that nothing moves when it appears.
class ZoomPath : public QWidget {
  Q_OBJECT
 public:
  explicit ZoomPath(QWidget* parent);

  /// "query position q" and "key position k".
  void setTitles(const QString& rows, const QString& cols);
  /// Of "All" and the range in full.
  int widthFor(const ZoomTrail& trail, Extent extent) const;
  /// Hidden if the whole is shown. Stops that do not fit into `room` pixels are left out.
  void show(const ZoomTrail& trail, Extent extent, int room);
  /// "q 8 192–16 383, k 0–8 191", for the cells in view.
  QString nameOf(const ViewRange& range, Extent extent) const;

 signals:
  void backRequested();
  /// Empty: the whole.
  void rangeRequested(const std::optional<vqscope::ViewRange>& range);

 private:
  QToolButton* addStep(const QString& title, const QString& tip, const std::optional<ViewRange>& range);
  int widthOf(const QString& title) const;

  QString m_rows;
  QString m_cols;
  QHBoxLayout* m_line;
  QToolButton* m_back;
  std::vector<QWidget*> m_steps;
};

}  // namespace vqscope
