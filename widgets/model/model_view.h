// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"
#include "core/schedule/finding/findings.h"
#include "core/schedule/reach/layer_sight.h"
#include "widgets/model/reach_view.h"

#include <QStackedWidget>

class QFormLayout;
class QLabel;
class QSplitter;

namespace vqscope {

class CachePanel;
class LayerTable;
class ModelFindings;
class ModelStart;
class ReachPanel;
class TabbedColumn;

/// A model layer by layer: the table of its layers, the reach of a query through them, the cache,
/// findings. Without a model it shows how to open one. It knows no session: its owner sets the
/// model and the tokens, and handles the signals.
class ModelView : public QStackedWidget {
  Q_OBJECT
 public:
  explicit ModelView(QWidget* parent = nullptr);

  /// null: no model. A report without layers has the reason why there is nothing to show.
  void setModel(const ConfigReport* report, const QString& name);
  /// A model that is known by its layers alone; no layers: no model.
  void setSchedule(const LayerSchedule& schedule, const QString& name, const std::vector<ConfigFinding>& findings = {});
  void setSequence(const SequenceOfLayers& sequence);

  const LayerSchedule& schedule() const { return m_schedule; }
  const SequenceOfLayers& sequence() const { return m_sequence; }
  Index query() const;
  /// Shows a query; emits no signal.
  void setQuery(Index query);

  ReachPanel& reach() { return *m_reach; }
  LayerTable& table() { return *m_table; }
  ModelFindings& findings() { return *m_findings; }

 signals:
  void maskRequested(int layer);
  void phasesRequested(int layer);
  void openRequested();
  void pasteRequested();
  void sampleRequested(const QString& file);
  /// The user has moved the query; not finished: the slider is still held.
  void queryMoved(vqscope::Index query, bool finished);
  void documentRuleChanged(const LayerKindFlags& keeps);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeSide();
  void connectParts();
  void arrange();
  void placeSide(bool wide);
  void refresh();
  void showFindings();
  void pointAt(const std::optional<ReachView::Spot>& spot);
  void goTo(const ScheduleFinding& finding);

  ModelStart* m_start;
  QSplitter* m_columns;
  TabbedColumn* m_left;
  TabbedColumn* m_middle;
  LayerTable* m_table;
  ReachPanel* m_reach;
  CachePanel* m_cache;
  QWidget* m_side = nullptr;
  QLabel* m_name = nullptr;
  QLabel* m_facts = nullptr;
  ModelFindings* m_findings = nullptr;
  bool m_wide = true;
  bool m_moved = false;     ///< the user has moved the border of a column
  bool m_arranged = false;  ///< once there is a model
  LayerSchedule m_schedule;
  SequenceOfLayers m_sequence = SequenceOfLayers::plain(8192);
  std::vector<ConfigFinding> m_config;
};

}  // namespace vqscope
