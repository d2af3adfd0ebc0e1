// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"
#include "widgets/plot/matrix_plot.h"

#include <QSize>
#include <QString>

#include <memory>
#include <optional>
#include <stop_token>

class QCustomPlot;

namespace vqscope {

class FigureTitle;

/// A plot that is deleted on the thread that made it.
std::shared_ptr<QCustomPlot> makeFigurePlot(const QSize& size);

/// Places the parts of a plot that never has a window.
void layOutPlot(QCustomPlot& plot, const QSize& size);

/// Makes the field or the curves of the panel, if they do not exist yet.
Result<void> makePanelResults(FigurePanel& panel, std::stop_token stop, const Offload& offload);

/// One view of a figure in a plot of its own. Everything that touches the plot happens on the thread
/// of the application; results and pictures are made on any.
class PanelPlot {
 public:
  PanelPlot(FigurePanel panel, const FigureSpec& spec, double scale)
      : m_panel(std::move(panel)), m_spec(spec), m_scale(scale) {}

  Result<void> makeResults(std::stop_token stop, const Offload& offload) {
    return makePanelResults(m_panel, std::move(stop), offload);
  }

  /// Empty: the figure has no titles.
  QString ownTitle() const;
  bool isTitleTyped() const { return !m_panel.labels.title.empty(); }
  /// Makes the plot with all but the picture of a map. `letter`: before the title, "(a)", of a panel
  /// whose colours are explained outside of it; empty: the figure's only one.
  void fill(const QSize& size, const QString& title, const QString& letter);
  void resize(const QSize& size);
  /// Height of the title; panels beside each other take the largest.
  int titleHeight() const;
  void setTitleHeight(int height);
  /// The scale of a map, fitted to its picture if there is one; null: curves.
  const ColourScale* scale() const;
  bool hasNotANumber() const { return m_picture && m_picture->hasNotANumber; }
  /// The place of the map or the curves in the plot.
  QRect mapPlace() const;
  /// Whether a map has no picture of its pixels yet.
  bool needsPicture() const { return m_map && m_request.pixels != pixels(); }
  Result<void> makePicture(std::stop_token stop);
  /// Places the picture, which may change the size of the map. `isVector`: for SVG and PDF.
  void placePicture(bool isVector);
  /// Marks a picture that is a sample.
  void finish();

  const std::shared_ptr<QCustomPlot>& plot() const { return m_plot; }
  const QSize& size() const { return m_size; }

 private:
  QSize pixels() const;
  void fillMatrix();
  void fillCurves();
  void addTitle(const QString& own, const QString& letter);
  void note(const QString& words);
  void layOut() { layOutPlot(*m_plot, m_size); }
  /// Returns whether cells are square.
  bool makeSquare();
  void arrange();

  FigurePanel m_panel;
  FigureSpec m_spec;
  double m_scale;
  QSize m_size;
  std::shared_ptr<QCustomPlot> m_plot;
  std::unique_ptr<MatrixPlot> m_map;  ///< null: curves
  FigureTitle* m_title = nullptr;     ///< null: none
  bool m_isPanel = false;
  bool m_notSquare = false;
  PictureRequest m_request;
  std::shared_ptr<const MatrixPicture> m_picture;
};

/// The title line of a figure: the method, what differs in a difference, and the values.
QString figureTitle(const Method& method, const ParameterValues& values, const std::optional<ParameterValues>& minus,
                    const FigureSides& sides);

}  // namespace vqscope
