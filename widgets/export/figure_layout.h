// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export/figure_painting.h"
#include "widgets/export/panel_plot.h"

#include <vector>

namespace vqscope {

/// The grid of a figure's panels, with letters if there are several. Below each row are the legends
/// of its maps: one for neighbours whose colours mean the same; one for the figure if that holds for
/// all. For the thread of the application.
class FigureLayout {
 public:
  FigureLayout(const FigureSpec& spec, const FigureGrid& grid, double scale)
      : m_spec(spec), m_grid(grid), m_scale(scale) {}

  /// Fills the plots of the panels, in the order of the rows.
  void begin(std::vector<PanelPlot>& panels);
  /// Arranges legends and panels by the pictures that the maps have now.
  void arrange(std::vector<PanelPlot>& panels);
  std::vector<PlacedPlot> plots(const std::vector<PanelPlot>& panels) const;

 private:
  /// Maps with one legend, in one row unless they are all of the figure.
  struct Legend {
    std::size_t first = 0;
    std::size_t last = 0;
    ColourScale scale = {};
    bool hasNotANumber = false;
    std::shared_ptr<QCustomPlot> plot = nullptr;
    QRect place = {};
  };

  std::size_t rowOf(std::size_t panel) const { return panel / static_cast<std::size_t>(m_grid.cols); }
  QStringList titlesOf(const std::vector<PanelPlot>& panels) const;
  QSize size() const;
  QRect cellOf(std::size_t panel) const;
  std::vector<Legend> legendsOf(const std::vector<PanelPlot>& panels) const;
  bool isOfAll(const std::vector<PanelPlot>& panels) const;
  void makeLegend(Legend& legend, const std::vector<PanelPlot>& panels) const;
  void alignTitles(std::vector<PanelPlot>& panels) const;
  void placeLegends(const std::vector<PanelPlot>& panels);

  FigureSpec m_spec;
  FigureGrid m_grid;
  double m_scale;
  int m_below = 0;               ///< height of the legend of all panels
  std::vector<int> m_belowRows;  ///< height of the legends of each row
  std::vector<Legend> m_legends;
};

}  // namespace vqscope
