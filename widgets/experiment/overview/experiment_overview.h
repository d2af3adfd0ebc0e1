// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_store.h"
#include "core/session/session.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <optional>
#include <vector>

class QVBoxLayout;

namespace vqscope {

class ExperimentCard;
class QuestionCard;
struct ExperimentPreset;
struct PresetChoice;

/// The questions that experiments answer as cards, and all experiments of the page in groups.
class ExperimentOverview : public QWidget {
  Q_OBJECT
 public:
  static constexpr int leastCard = 270;  ///< width in pixels

  ExperimentOverview(const PageInfo& info, QWidget* parent);

  /// Shows results and times of the kept runs on the cards.
  void setRuns(const std::vector<KeptRun>& runs);
  const std::vector<QuestionCard*>& questions() const { return m_questions; }
  const std::vector<ExperimentCard*>& experiments() const { return m_experiments; }
  /// Work of a second on this machine; nothing: not known yet. rateMeasured() follows the first call.
  std::optional<double> rate();
  bool isBusy() const { return m_probe.isBusy(); }

 signals:
  void questionChosen(const vqscope::PresetChoice& choice, bool run);
  void experimentChosen(const vqscope::Method* method);
  /// rate() was measured.
  void rateMeasured();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void addTitle(QVBoxLayout* column);
  void addQuestions(const std::vector<const ExperimentPreset*>& presets, QVBoxLayout* column);
  void addGroup(const MethodGroup& group, QVBoxLayout* column);
  void showRuns();
  void probe();

  std::vector<QuestionCard*> m_questions;
  std::vector<ExperimentCard*> m_experiments;
  std::vector<KeptRun> m_runs;
  bool m_known = false;          ///< the runs have been read
  std::optional<double> m_rate;  ///< work of a second
  bool m_probed = false;
  FieldScheduler m_probe;
};

}  // namespace vqscope
