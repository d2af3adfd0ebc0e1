// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/session/session.h"
#include "widgets/paint/summary_painter.h"

#include <QImage>
#include <QSize>

#include <memory>

namespace vqscope {

/// What is asked of a picture: which part of which field, on how many pixels, coloured how.
struct PictureRequest {
  std::shared_ptr<const Field> field;
  ViewRange range;
  QSize pixels;
  Aggregate aggregate = Aggregate::automatic;
  ColourScale scale;
  double pixelRatio = 1;  ///< device pixels to one of the plot's
};

/// The number of a cell that is large enough to show it.
struct CellText {
  Index row = 0;
  Index col = 0;
  QString text;
  QRgb colour = 0;  ///< of the cell beneath
};

/// A finished picture. Immutable and shared: the view paints it until the next one is there.
struct MatrixPicture {
  PictureRequest request;
  QImage image;
  bool exact = true;
  bool hasNotANumber = false;
  std::vector<CellText> numbers;
  std::vector<Mark> marks;
  double bytes = 0;  ///< held by the planes and the image
};

/// The whole matrix in cell coordinates.
ViewRange wholeRange(const Field& field);

/// How much work a picture may be. Where cells would have to be sampled, `exactOnly` asks for nothing instead.
struct PictureEffort {
  Index maxCells = 0;
  int threads = 1;
  bool exactOnly = false;
};

/// Summarises and paints; nothing when it was stopped.
std::shared_ptr<const MatrixPicture> renderPicture(const PictureRequest& request, const PictureEffort& effort,
                                                   std::stop_token stop);

}  // namespace vqscope
