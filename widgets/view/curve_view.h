// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/method/method.h"
#include "core/session/session.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/veil.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QAction;
class QCPItemStraightLine;
class QCustomPlot;

namespace vqscope {

class CurvePlot;
class CurveTable;
class LiveCurves;
class ViewHeader;

/// Curves with axes, legend and a readout of every curve at the mouse, or as a table of their numbers. Wheel zooms,
/// drag pans, double click fits.
class CurveView : public QWidget {
  Q_OBJECT
 public:
  /// Without a banner where a view beside says why curves are not up to date.
  enum class Banner { shown, hidden };
  explicit CurveView(QWidget* parent = nullptr, Banner banner = Banner::shown);

  /// Computes the method's curves off the GUI thread. The last ones stay until then, marked, or until what is known of
  /// the new ones is shown; these give way to the last ones again where nothing comes of them.
  /// `axes`: those that a person chose; nothing: the method's own.
  void setMethod(const Method& method, const ParameterValues& values, const std::optional<CurveAxes>& axes = {});
  /// Takes what setMethod has made, or what is known of it so far (every few seconds, and when it was stopped), on the
  /// worker, also when nobody waits for it any more.
  using Keep =
      std::function<void(const Method&, const ParameterValues&, const CurveSet&, double seconds, bool complete)>;
  /// Makes one for each computation.
  using Keeper = std::function<Keep()>;
  void setKeeper(Keeper keeper) { m_keeper = std::move(keeper); }
  /// Curves that are there already: a row's profile.
  void setCurves(const QString& title, const QString& subtitle, const CurveSet& curves);
  /// The curves that were to come could not be made: the last ones stay, marked, and the sentence says why. Empty: they
  /// may still come.
  void setFailure(const QString& sentence);
  const CurveSet& curves() const;
  void fit();
  /// Of what was asked for, against the values in the form.
  void setFreshness(const Freshness& freshness);
  /// Of the curves, against what was asked for too.
  Freshness freshness() const;
  /// What is under way is not wanted any more.
  void stop();

  ViewHeader* header() { return m_header; }
  bool isBusy() const { return m_scheduler.isBusy(); }

 signals:
  /// Every curve at the mouse; nothing when it has left.
  void readoutChanged(const std::optional<vqscope::CellReport>& report);
  void curvesShown();
  /// What setMethod asked for is there, or an error.
  void finished();
  /// A person has chosen other axes.
  void axesChosen(const vqscope::CurveAxes& axes);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addLogActions();
  void addTableButton();
  void showTable(bool on);
  void setAxes(const CurveAxes& axes);
  /// What is shown, with what its header says.
  struct Content {
    QString title;
    QString subtitle;
    QString tip;
    CurveSet curves;
    std::optional<CurveAxes> axes;  ///< nothing: the curves' own
  };

  void restyle();
  void showContent(const Content& content);
  void showPartial();
  void dropPartial();
  void showCurves(const CurveSet& curves);
  void showFreshness();
  Veil::Banner bannerPlace() const;
  void showOutcome(Result<CurveSet> outcome, Content content, const Method& method);
  void showProgress();
  void showReadout(const std::optional<double>& x);

  ViewHeader* m_header;
  QCustomPlot* m_plot;
  CurvePlot* m_curvePlot;
  CurveTable* m_table = nullptr;  ///< made when it is first shown
  QAction* m_logX = nullptr;
  QAction* m_logY = nullptr;
  QCPItemStraightLine* m_cursor = nullptr;
  Keeper m_keeper;
  FieldScheduler m_scheduler;
  std::shared_ptr<LiveCurves> m_live;  ///< of the newest curves under way
  Content m_coming;                    ///< their header and axes
  std::optional<Content> m_good;       ///< what was shown before the partial ones; nothing: these are whole
  QTimer m_progress;
  std::string m_methodId;
  Freshness m_given;  ///< of what was asked for
  QString m_failure;  ///< why it came to nothing
  const Banner m_banner;
  Veil* m_veil;
  Veil* m_tableVeil = nullptr;
  bool m_zoomed = false;
  std::optional<double> m_readAt;  ///< x under the mouse
};

}  // namespace vqscope
