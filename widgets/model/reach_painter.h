// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/reach/layer_reach.h"

#include <QRect>

#include <optional>

class QPainter;
class QWidget;

namespace vqscope {

/// Content of a picture of reach.
struct ReachContent {
  LayerSight sight;
  LayerReach reach;
};

/// A cell of the picture.
struct ReachSpot {
  Index layer = 0;
  Index token = 0;
  friend bool operator==(const ReachSpot&, const ReachSpot&) = default;
};

/// Where the picture of a ReachView is, and what each pixel of it stands for.
struct ReachFrame {
  QRect picture;  ///< layers and tokens, without axes
  Index layers = 1;
  double first = 0;  ///< tokens in view
  double last = 1;

  double xOf(double token) const;
  double tokenAt(double x) const;
  /// Pixels of a layer: whole ones, without gaps between layers.
  int topOf(Index layer) const;
  Index layerAt(double y) const;
};

ReachFrame reachFrame(const QWidget& widget, const ReachContent& content, double first, double last);

/// The layers as coloured spans, documents and the query as lines, and both axes.
void paintReach(QPainter& painter, const ReachFrame& frame, const ReachContent& content);
/// A frame around one layer, and a cross at a spot.
void paintMarks(QPainter& painter, const ReachFrame& frame, Index layer, const std::optional<ReachSpot>& spot);

}  // namespace vqscope
