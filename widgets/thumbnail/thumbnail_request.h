// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/method/method.h"
#include "widgets/theme/palette.h"

#include <QSize>

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// Content of a small picture: a method with its values, kept curves, or the layers of one or two models.
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

}  // namespace vqscope
