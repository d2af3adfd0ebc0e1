// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/reach/layer_reach.h"
#include "widgets/theme/palette.h"

#include <QRect>

#include <optional>

class QPainter;
class QWidget;

namespace vqscope {

/// Colours of the layers' masks and of reach, of the current theme.
struct ReachColours {
  QColor window;    ///< direct, in a sliding or chunked layer
  QColor full;      ///< direct, in a full layer
  QColor state;     ///< through a recurrent state
  QColor possible;  ///< if an indexer selects the token
  QColor indirect;  ///< through layers below
  QColor crossing;  ///< out of another document, seen by the layer itself
  QColor carried;   ///< out of another document, through layers below
};

inline ReachColours reachColours(const Palette& p) {
  return {p.accent,
          p.good,
          p.violet,
          mixed(p.panel, p.good, p.dark ? 0.42 : 0.38),
          mixed(p.panel, p.accent, p.dark ? 0.42 : 0.38),
          p.error,
          mixed(p.panel, p.error, p.dark ? 0.45 : 0.42)};
}

/// Colour of keys that a layer of this kind sees itself.
inline QColor maskColour(const ReachColours& colours, LayerAttention attention) {
  if (attention == LayerAttention::full) return colours.full;
  if (attention == LayerAttention::sparse || attention == LayerAttention::compressed) return colours.possible;
  return attention == LayerAttention::state ? colours.state : colours.window;
}

/// Colour of a span of a layer.
inline QColor spanColour(const ReachColours& colours, const ModelLayer& layer, ReachKind kind) {
  switch (kind) {
    case ReachKind::none: return {};
    case ReachKind::indirect: return colours.indirect;
    case ReachKind::direct: return selects_keys(layer) ? colours.window : maskColour(colours, layer.attention);
    case ReachKind::possible: return colours.possible;
    case ReachKind::crossing: return colours.carried;
  }
  return {};
}

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
