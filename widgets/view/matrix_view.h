// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/method.h"
#include "core/session/subject/token_texts.h"
#include "widgets/paint/lit_scale.h"
#include "widgets/parts/freshness.h"
#include "widgets/plot/matrix_cursor.h"
#include "widgets/plot/row_marks.h"
#include "widgets/view/keyed_view.h"
#include "widgets/view/map/map_frames.h"
#include "widgets/view/map/zoom_trail.h"

#include <optional>

class QCustomPlot;
class QMouseEvent;

namespace vqscope {

class CellMarks;
class MapDrag;
class MapOverview;
class MatrixPlot;
struct NotedCell;
class Overlay;
class ViewHeader;
class ZoomPath;

/// Content of a MatrixView.
struct MatrixContent {
  QString title;
  QString subtitle;
  QString rowTitle;
  QString colTitle;
  std::shared_ptr<const Field> field;
  ColourScale scale;
  Aggregate aggregate = Aggregate::automatic;
  bool keepAspect = false;
  std::optional<RowMarks> rowMarks = {};
  TokenTexts tokens = {};  ///< of the rows and columns that are tokens
  TokenAxes tokenAxes = {};
};

/// A field as a heat map, computed in the background for the pixels in view; the last picture stays
/// until the next one is ready. Wheel zooms at the cursor, drag pans, with Shift it zooms into a
/// box and with Ctrl it measures, double click fits, a click picks a cell, arrow keys move the picked cell by one. A
/// click on the legend highlights its cells. While zoomed, an overview and the path from the whole show where the range
/// is.
class MatrixView : public KeyedView {
  Q_OBJECT
 public:
  explicit MatrixView(QWidget* parent = nullptr);
  ~MatrixView() override;

  void setContent(const MatrixContent& content);
  const MatrixContent& content() const { return m_content; }
  /// Nothing is shown until the next content.
  void clear();
  /// Names what will be shown, unless something is.
  void expect(const QString& title);

  /// Nothing: the whole matrix, even after its size changes.
  void setRange(const std::optional<ViewRange>& range);
  std::optional<ViewRange> range() const { return m_range; }
  ViewRange visibleRange() const;
  void zoom(double factor);
  /// As if the user had zoomed there, limited to the matrix; one stop of the way back.
  void zoomTo(const ViewRange& range);
  /// A range with the cell in its middle, in which cells are `pixels` wide and high, if the matrix
  /// is that large.
  ViewRange rangeAround(Cell cell, double pixels) const;
  void fit();
  bool canGoBack() const { return m_trail.canGoBack(); }
  void goBack();

  /// The part of the scale that is highlighted; nothing: all are alike.
  const std::optional<ScalePart>& lit() const { return m_lit; }
  void setLit(const std::optional<ScalePart>& part);

  void setHovered(std::optional<Cell> cell);
  void setPicked(std::optional<Cell> cell);
  std::optional<Cell> picked() const { return m_picked; }
  std::optional<Cell> hovered() const { return m_hovered; }
  /// Cells with notes, which are marked; the mouse over a mark shows the note.
  void setNotes(std::vector<NotedCell> notes);
  const CellMarks& marks() const { return *m_marks; }
  /// Scrolls until the cell is in view.
  void reveal(Cell cell);

  ViewHeader* header() { return m_header; }
  std::shared_ptr<const MatrixPicture> picture() const;
  /// Time from the last change of content or range to the updated plot, in milliseconds.
  double frameMilliseconds() const { return m_frameMilliseconds; }
  /// Freshness of the content against the values in the form.
  void setFreshness(const Freshness& freshness);
  /// Whether this map says why its content is outdated; of several maps one says it.
  void setBannerShown(bool shown);
  /// Freshness of the picture, including that of the content.
  Freshness freshness() const;
  /// Whether the overview appears while the map is zoomed.
  void setOverviewWanted(bool wanted);
  /// The map with axes and legend, without the cursor.
  QPixmap plotPicture();
  bool isBusy() const { return m_frames.isBusy(); }

 signals:
  void rangeChanged(const std::optional<vqscope::ViewRange>& range);
  void cellHovered(const std::optional<vqscope::Cell>& cell);
  void cellPicked(const vqscope::Cell& cell);
  void pictureShown();
  /// For the cell under the mouse, or the picked one for the menu key; empty: for the map.
  void menuRequested(const std::optional<vqscope::Cell>& cell, const QPoint& global);
  /// freshness() has changed.
  void freshnessChanged();

 protected:
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void restyle();
  void makePlot();
  void makeNavigation();
  /// Updates overview and path after the range or the place of the map has changed.
  void showNavigation();
  void travel(const std::optional<ViewRange>& range, ZoomTrail::Move move);
  void moveTo(const ViewRange& range, ZoomTrail::Move move);
  bool onPlotPress(const QMouseEvent& event);
  /// Of the legend or of a note.
  bool showTip(const QPoint& position, const QPoint& global);
  void layoutMap();
  void applyRange();
  void onAxesMoved();
  void onPlotResized();
  /// The input of the picture has changed.
  void requestFrame();
  void showFreshness();
  void showPicture(const Result<std::shared_ptr<const MatrixPicture>>& made);
  void updateCursor();
  std::optional<Cell> cellAt(const QPointF& position) const;
  void movePicked(Index rows, Index cols);
  QSize mapPixels() const;
  /// Empty: there is no content, or the map is hidden.
  std::optional<PictureRequest> pictureRequest() const;

  MatrixContent m_content;
  ViewHeader* m_header;
  QCustomPlot* m_plot;
  Overlay* m_overlay;
  bool m_hasBanner = true;
  std::unique_ptr<MatrixPlot> m_map;
  CellMarks* m_marks = nullptr;
  std::unique_ptr<MatrixCursor> m_cursor;
  std::unique_ptr<MapDrag> m_drag;
  MapOverview* m_overview;
  ZoomPath* m_path;
  MapFrames m_frames;
  Freshness m_given;  ///< freshness of the content
  QString m_failure;  ///< why there is no picture of the content
  double m_frameMilliseconds = 0;
  std::optional<ViewRange> m_range;
  ZoomTrail m_trail;
  QRect m_navigated;  ///< place of the map when the navigation was laid out
  std::optional<ScalePart> m_lit;
  std::optional<Cell> m_hovered;
  std::optional<Cell> m_picked;
  QPoint m_pressed;
  bool m_applying = false;
};

}  // namespace vqscope
