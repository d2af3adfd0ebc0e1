// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/method/method.h"
#include "widgets/theme/palette.h"

#include <QImage>
#include <QSize>

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// Content of a small picture: a method with its values, kept curves, or the layers of one or two
/// models.
struct ThumbnailRequest {
  const Method* method = nullptr;
  ParameterValues values;                     ///< complete
  std::optional<ParameterValues> other = {};  ///< side B, complete
  bool difference = false;                    ///< A − B in one picture; of masks: A, and where B differs. Else A | B
  std::optional<CurveSet> kept = {};          ///< instead of the method's own curves
  std::vector<std::string> configs = {};      ///< texts of config.json
  QSize pixels = {};                          ///< of the device
  Theme theme = Theme::light;
  double pixelRatio = 1;  ///< device pixels per pixel: widths of lines

  /// Whether both give the same picture, if their kept curves and configs are the same.
  bool isLike(const ThumbnailRequest& other) const;
};

/// Any thread. Null: there is nothing to show, such as a measurement that was not carried out, or
/// an error; or stopped.
QImage renderThumbnail(const ThumbnailRequest& request, const std::stop_token& stop);

/// The first curves of the set as lines over an axis, in the colours of plots, without words.
QImage curveThumbnail(const CurveSet& curves, const ThumbnailRequest& request);

/// The whole matrix of a field method, or A − B. The difference of two masks is mask A, with red
/// cells that only A shows and orange cells that only B shows.
QImage fieldThumbnail(const ThumbnailRequest& request, const std::stop_token& stop);

/// The layers of each config as columns, from the first to the last: how far a layer attends is the
/// height of its column, on a log scale up to the longest sequence; its kind is the colour. Two
/// configs stand one above the other.
QImage layerThumbnail(const ThumbnailRequest& request, const std::stop_token& stop);

}  // namespace vqscope
