// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "widgets/paint/summary_painter.h"
#include "widgets/session/session.h"

#include <QImage>
#include <QSize>

#include <memory>

namespace vqscope {

/// What is asked of a picture: which part of which field, on how many pixels, coloured how.
struct PictureRequest {
  std::shared_ptr<const Field> field;
  ViewRange range;
  QSize pixels;
  Aggregate aggregate = Aggregate::mean;
  ColourScale scale;
};

/// A finished picture. Immutable and shared: the view paints it until the next one is there.
struct MatrixPicture {
  PictureRequest request;
  QImage image;
  bool exact = true;
  bool hasNotANumber = false;
  double bytes = 0;         ///< held by the planes and the image
  double milliseconds = 0;  ///< spent on it
};

/// The whole matrix in cell coordinates.
ViewRange wholeRange(const Field& field);

/// Summarises and paints; nothing when it was stopped. `budget`: SummaryOptions::max_cells.
std::shared_ptr<const MatrixPicture> renderPicture(const PictureRequest& request, Index budget, int threads,
                                                   std::stop_token stop);

}  // namespace vqscope
