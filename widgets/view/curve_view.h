// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/method/method.h"
#include "core/session/session.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/curve/made_curves.h"
#include "widgets/view/keyed_view.h"
#include "widgets/view/overlay.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QAction;
class QCustomPlot;

namespace vqscope {

class CurveActions;
class CurveCursor;
class CurveDrag;
class CurvePlot;
class CurveTable;
class ViewHeader;

/// Curves with axes, legend and a readout of every curve at the mouse, or as a table of their
/// numbers. The wheel zooms x, with Shift or Ctrl y; drag pans, with Shift it zooms into a box and
/// with Ctrl it measures; double click fits. A curve under the mouse, or its name, is lit; a click on
/// the name hides or shows it. Arrow keys move the readout, + and - zoom.
class CurveView : public KeyedView {
  Q_OBJECT
 public:
  /// Without a banner if another view shows why curves are not up to date.
  enum class Banner { shown, hidden };
  explicit CurveView(QWidget* parent = nullptr, Banner banner = Banner::shown);
  ~CurveView() override;

  static constexpr int usualHeight = 140;  ///< at least, in pixels, without a legend
  void setLeastHeight(int height);

  /// Computes the method's curves off the GUI thread. Previous curves of the method stay, marked,
  /// until the new ones or a part of them are ready; if the new ones fail, the previous ones
  /// return. Those of another method go. `axes`: those that the user chose; nothing: those of the
  /// method.
  void setMethod(const Method& method, const ParameterValues& values, const std::optional<CurveAxes>& axes = {});
  /// Switches to a method whose curves are requested later. Curves of another method go, also those
  /// that are still being computed.
  void expect(const Method& method, const ParameterValues& values);
  /// Forgets all curves, also those that are still being computed: they belong to another session.
  void clear();
  /// Makes a receiver for each computation of setMethod. It is called on the worker, also after the
  /// view has turned to other curves.
  using Keeper = std::function<KeepCurves()>;
  void setKeeper(Keeper keeper) { m_keeper = std::move(keeper); }
  /// Who makes the curves of setMethod.
  void setMaker(std::function<MakeCurves()> maker) { m_maker = std::move(maker); }
  /// Shows given curves, such as the profile of a row.
  void setCurves(const QString& title, const QString& subtitle, const CurveSet& curves,
                 CurveOrigin origin = CurveOrigin::geometry);
  /// The expected curves failed, for this reason; the previous ones stay, marked. Empty: they may
  /// still come.
  void setFailure(const QString& sentence);
  /// Why the last curves failed; empty: they did not.
  const QString& failure() const { return m_failure; }
  const CurveSet& curves() const;
  void fit();
  /// Freshness of the request against the values in the form.
  void setFreshness(const Freshness& freshness);
  /// Freshness of the curves, including that of the request.
  Freshness freshness() const;
  /// Cancels the computation.
  void stop();
  /// Ends the computation; the curves known so far stay, and say that they are not all.
  void finish();
  /// Whether the last computation ended before it had anything to show, so that older curves are
  /// shown.
  bool hasNothingNew() const { return m_nothingNew; }
  /// Whether the shown curves are a part of the requested ones, because the computation was
  /// stopped.
  bool isStopped() const { return m_stopped; }
  /// The newest computation; null before the first.
  const std::shared_ptr<LiveCurves>& live() const { return m_live; }
  /// The computation that goes on, if it is of these curves; null: it is not.
  std::shared_ptr<LiveCurves> computationOf(const Method& method, const ParameterValues& values) const;

  ViewHeader* header() { return m_header; }
  bool isBusy() const { return m_scheduler.isBusy(); }

 signals:
  /// The values of all curves at the mouse; nothing after it has left.
  void readoutChanged(const std::optional<vqscope::CellReport>& report);
  void curvesShown();
  /// The curves of setMethod are ready, or have failed.
  void finished();
  /// The user has chosen other axes.
  void axesChosen(const vqscope::CurveAxes& axes);

 protected:
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fitHeight();
  void addLogActions();
  void addTableButton();
  void showTable(bool on);
  /// Categories have no logarithms, and tables no axes.
  void enableLogActions();
  void setAxes(const CurveAxes& axes);
  /// The shown curves with the texts of the header.
  struct Content {
    QString title;
    QString subtitle;
    QString tip;
    CurveSet curves;
    std::optional<CurveAxes> axes;  ///< nothing: those of the curves
    bool stopped = false;           ///< the curves are a part of the requested ones
    CurveOrigin origin = CurveOrigin::geometry;
  };

  void restyle();
  void turnTo(const Method& method, const ParameterValues& values);
  /// Whether the newest computation is for what the view is turned to.
  bool computesThis() const { return m_scheduler.isBusy() && m_livePlace == m_place; }
  void showContent(const Content& content);
  void showPartial();
  void dropPartial();
  void showCurves(const CurveSet& curves);
  void showFreshness();
  Overlay::Banner bannerPlace() const;
  void showStopped();
  void showOutcome(Result<CurveSet> outcome, Content content, const Method& method);
  void showProgress();
  void showReadout(const std::optional<double>& x);
  void moveReadout(int samples);
  void zoom(double factor, bool vertical);
  void turnWheel(Qt::KeyboardModifiers modifiers);
  bool onPress(const QMouseEvent& event);
  void onMove(const QMouseEvent& event);
  bool onRelease(const QMouseEvent& event);
  void light(const std::optional<std::size_t>& curve);

  ViewHeader* m_header;
  QCustomPlot* m_plot;
  CurvePlot* m_curvePlot;
  CurveActions* m_actions;
  CurveTable* m_table = nullptr;  ///< made when it is first shown
  QAction* m_logX = nullptr;
  QAction* m_logY = nullptr;
  std::unique_ptr<CurveCursor> m_cursor;
  std::unique_ptr<CurveDrag> m_drag;
  Keeper m_keeper;
  std::function<MakeCurves()> m_maker;
  FieldScheduler m_scheduler;
  std::shared_ptr<LiveCurves> m_live;  ///< partial results of the newest computation
  ParameterValues m_liveValues;
  const Method* m_liveMethod = nullptr;
  Content m_coming;               ///< header and axes of these
  std::optional<Content> m_good;  ///< shown before the partial curves; nothing: the shown curves are complete
  QTimer m_progress;
  std::string m_methodId;
  int m_place = 0;      ///< grows when the view turns to another method or session
  int m_livePlace = 0;  ///< m_place at the start of m_live
  Freshness m_given;    ///< freshness of the request
  QString m_failure;    ///< why the curves failed
  const Banner m_banner;
  int m_leastHeight = usualHeight;
  Overlay* m_overlay;
  Overlay* m_tableOverlay = nullptr;
  CurveOrigin m_origin = CurveOrigin::geometry;  ///< of the shown curves
  bool m_zoomed = false;
  bool m_stopped = false;     ///< Content::stopped of the shown curves
  bool m_nothingNew = false;  ///< the last computation was stopped before it gave any
};

}  // namespace vqscope
