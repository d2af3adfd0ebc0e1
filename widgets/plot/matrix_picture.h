// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/field/field.h"
#include "core/session/session.h"
#include "widgets/paint/summary_painter.h"

#include <QImage>
#include <QSize>

#include <memory>
#include <optional>

namespace vqscope {

/// A request for a picture: field, part, number of pixels, colours.
struct PictureRequest {
  std::shared_ptr<const Field> field;
  ViewRange range;
  QSize pixels;
  Aggregate aggregate = Aggregate::automatic;
  ColourScale scale;
  double pixelRatio = 1;  ///< device pixels per pixel of the plot
};

/// A number shown in a large cell.
struct CellText {
  Index row = 0;
  Index col = 0;
  QString text;
  QRgb colour = 0;  ///< colour of the cell
};

/// A finished picture. Immutable and shared: the view paints it until the next one is ready.
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

/// The limit of work for a picture. With `exactOnly`, there is no picture instead of a sampled one.
struct PictureEffort {
  Index maxCells = 0;
  int threads = 1;
  bool exactOnly = false;
};

/// Summarises and paints. Null: there is no cell in the range, or `why` holds the error of the
/// summary, which is cancellation after a stop.
std::shared_ptr<const MatrixPicture> renderPicture(const PictureRequest& request, const PictureEffort& effort,
                                                   std::stop_token stop, std::optional<Error>* why = nullptr);

}  // namespace vqscope
