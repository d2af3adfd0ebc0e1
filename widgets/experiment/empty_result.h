// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/run/run_store.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace vqscope {

/// The place of a result that is not there yet: what the experiment measures, how long it takes
/// here, Run, and its latest runs with other values.
class EmptyResult : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyResult(QWidget* parent);

  struct State {
    const Method* method = nullptr;
    QString title;     ///< why there is nothing
    QString estimate;  ///< of the time
    bool canRun = false;
    std::vector<KeptRun> others;  ///< the newest first
  };
  void show(const State& state);

 signals:
  void runRequested();
  /// To show this run with its values, or in the list of runs if the form has not all of them.
  void runChosen(const vqscope::KeptRun& run);

 private:
  void listOthers(const State& state);

  QLabel* m_title;
  QLabel* m_help;
  QPushButton* m_run;
  QLabel* m_estimate;
  QLabel* m_heading;
  QVBoxLayout* m_others;
  std::vector<std::string> m_listed;  ///< names of the runs in the list
};

}  // namespace vqscope
