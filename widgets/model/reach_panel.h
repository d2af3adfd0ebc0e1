// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/model/reach_view.h"

#include <algorithm>
#include <array>

class QCheckBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace vqscope {

class ReachLegend;

/// The reach of one query through a model's layers: the query, which layers keep to documents, the
/// picture with its legend, and a line on the token under the cursor.
class ReachPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ReachPanel(QWidget* parent = nullptr);

  /// Keeps the query at the end while it was there.
  void setModel(const LayerSchedule& schedule, const SequenceOfLayers& sequence);
  /// Shows a query; emits no signal.
  void setQuery(Index query);
  /// The same as a choice of the user.
  void moveQuery(Index query, bool finished = true);
  /// -1: nothing to show.
  Index query() const;
  ReachView& view() { return *m_view; }
  const ReachView::Content* content() const { return m_view->content(); }

 signals:
  /// Layers, tokens, rule or query are new: content() is what they give, or null.
  void changed();
  /// The user has moved the query; not finished: the slider is still held.
  void queryMoved(vqscope::Index query, bool finished);
  /// By LayerAttention, as in SequenceOfLayers.
  void documentRuleChanged(const LayerKindFlags& keeps);

 private:
  QWidget* makeHeader();
  QWidget* makeRule();
  void readRule();
  void compute();
  /// The last token that can be a query.
  Index lastToken() const { return std::max<Index>(0, m_sequence.length - 1); }
  void placeQuery();
  void onSlider(int step);
  void pointAt(const std::optional<ReachView::Spot>& spot);

  ReachView* m_view;
  ReachLegend* m_legend;
  QLabel* m_badge = nullptr;
  QLabel* m_readout;
  QLabel* m_problem;
  QSlider* m_slider = nullptr;
  QSpinBox* m_box = nullptr;
  QWidget* m_rule = nullptr;
  std::array<QCheckBox*, layer_attention_kinds> m_keeps{};
  LayerSchedule m_schedule;
  SequenceOfLayers m_sequence;
  Index m_query = -1;
};

}  // namespace vqscope
