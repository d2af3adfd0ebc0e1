// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/figure/figure_spec.h"

#include <QByteArray>
#include <QImage>
#include <QRect>
#include <QString>

#include <memory>
#include <stop_token>
#include <vector>

class QCustomPlot;
class QPaintDevice;

namespace vqscope {

/// A plot that is laid out, and its place in the figure.
struct PlacedPlot {
  std::shared_ptr<QCustomPlot> plot;
  QRect place;
};

/// A figure that is laid out, with everything needed to paint it, so that painting can go on after
/// its caller has left.
struct FigurePainting {
  std::vector<PlacedPlot> plots;
  FigureSpec spec;
  double scale = 1;      ///< CSS pixels for each pixel of a plot
  QString title;         ///< of the document
  std::string embedded;  ///< session in the file; empty: none
  QString format;        ///< png, svg or pdf
  std::stop_token stop;
  QByteArray bytes = {};  ///< of the file, once it is painted
};

/// The bytes of the file; empty if memory does not suffice, or after a stop. Runs on any thread, if
/// no other one uses the plots.
QByteArray paintFigure(const FigurePainting& figure);

/// Paints the figure on a page, within its margins. Whether the device takes it.
bool paintOn(QPaintDevice& page, const FigurePainting& figure);

/// The pixels of a PNG; null if memory does not suffice, or after a stop.
QImage paintPixels(const FigurePainting& figure);

/// The file of these pixels, with a session in it unless that is empty; empty as paintFigure's.
QByteArray pngOfPixels(const QImage& pixels, const std::string& embedded, std::stop_token stop);

}  // namespace vqscope
