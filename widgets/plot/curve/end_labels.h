// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QColor>
#include <QFont>
#include <QString>

#include <optional>
#include <vector>

namespace vqscope {

/// Names at the right ends of curves, or beside one of their points, in their colours: nobody has to
/// look up a colour in a legend. Names at ends that would overlap move apart, and a line leads to
/// each that has moved.
class EndLabels {
 public:
  struct Entry {
    const QCPGraph* graph = nullptr;
    QString name;
    QColor colour;  ///< of the name
    bool hidden = false;
  };
  static constexpr std::size_t mostEntries = 8;
  static constexpr std::size_t mostAtPoints = 16;

  explicit EndLabels(QCustomPlot& plot) : m_plot(plot) {}

  /// After the items of the plot were cleared.
  void forget();
  void setFont(const QFont& font) { m_font = font; }
  /// Whether names stand beside points of their curves.
  void setAtPoints(bool atPoints) { m_atPoints = atPoints; }
  /// How many names there may be.
  std::size_t most() const { return m_atPoints ? mostAtPoints : mostEntries; }
  /// Makes the names anew.
  void setEntries(std::vector<Entry> entries);
  /// Whether names of these lengths fit beside the curves of a plot of this size.
  bool fit() const;
  /// Shows or hides them; the plot keeps its right margin free for them.
  void setShown(bool shown);
  bool isShown() const { return m_shown; }
  /// Pixels to the right of the axes.
  int margin() const;
  /// Puts each beside the end of its curve. After the layout.
  void place();
  /// The entry whose name is at this place.
  std::optional<std::size_t> at(const QPointF& position) const;

 private:
  struct Label {
    Entry entry;
    QCPItemText* text = nullptr;    ///< the plot's
    QCPItemLine* leader = nullptr;  ///< the plot's
  };
  double height() const;
  double widest() const;
  /// The height at which the curve leaves the plot, in pixels.
  double endOf(const Entry& entry, const QRect& rect) const;
  void placeAtPoints();

  QCustomPlot& m_plot;
  QFont m_font;
  std::vector<Label> m_labels;
  bool m_shown = false;
  bool m_atPoints = false;
};

/// Places of labels of one height nearest to those that they want, in the same order and apart from
/// each other, within [top, bottom] as far as there is room.
std::vector<double> placesApart(const std::vector<double>& wanted, double height, double top, double bottom);

}  // namespace vqscope
