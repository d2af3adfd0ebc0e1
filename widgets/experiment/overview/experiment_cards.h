// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/experiment_presets.h"
#include "core/run/run_estimate.h"
#include "widgets/start/card.h"

class QPushButton;

namespace vqscope {

/// "took 58 s" or "about 2 min here"; empty: nothing allows an estimate.
QString estimateText(const std::optional<TimeEstimate>& estimate);

/// "today, took 58 s", of a kept run.
QString runText(const StoredRun& run);

/// "ALiBi keeps its loss", for a sentence that begins in small letters.
QString capitalised(const std::string& sentence);

/// A question with what is measured, its last result and its time here. A click opens the question;
/// its buttons also run it, in full or in its quick form.
class QuestionCard : public Card {
  Q_OBJECT
 public:
  QuestionCard(const ExperimentPreset& preset, QWidget* parent);

  void setRuns(const std::vector<KeptRun>& runs, std::optional<double> rate);
  QPushButton* fullButton() { return m_full; }
  QPushButton* quickButton() { return m_quick; }  ///< null: the question has no quick form

 signals:
  void chosen(const vqscope::PresetChoice& choice, bool run);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QPushButton* addButton(const QString& accessible, bool quick);
  void placeButtons();

  const ExperimentPreset& m_preset;
  QPushButton* m_full;
  QPushButton* m_quick;
  bool m_showsQuick = false;  ///< the result is of the quick form
};

/// An experiment with what it measures and its last result.
class ExperimentCard : public Card {
  Q_OBJECT
 public:
  ExperimentCard(const Method& method, QWidget* parent);

  void setRuns(const std::vector<KeptRun>& runs);

 private:
  const Method& m_method;
};

}  // namespace vqscope
