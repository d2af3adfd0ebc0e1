// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep_plan.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QSpinBox;

namespace vqscope {

class VaryList;

/// What a sweep is made of: parameters and their values, seeds, the folder of results, points at a time.
class SweepSetup : public QWidget {
  Q_OBJECT
 public:
  explicit SweepSetup(QWidget* parent = nullptr);

  /// The experiment and the values of its form; what was typed of the sweep stays.
  void setBase(const Method& method, const ParameterValues& values);
  /// What varies, one seed.
  void setVaried(const std::vector<VaryText>& varied);
  SweepPlan plan() const;
  /// Empty: the sweep's own in the data folder. `~/` is the home folder.
  QString folder() const;
  Index jobs() const;

  VaryList* vary() const { return m_vary; }
  /// Where the results go while no folder is given.
  void showOwnFolder(const QString& folder);

 signals:
  /// plan() or folder() is another.
  void changed();

 private:
  QWidget* makeFolderRow();
  void showFixed();
  void chooseFolder();

  const Method* m_method = nullptr;
  ParameterValues m_values;
  QLabel* m_title;
  QLabel* m_fixed;
  VaryList* m_vary;
  QSpinBox* m_seeds;
  QLineEdit* m_folder;
  QSpinBox* m_jobs;
  QLabel* m_jobsNote;
};

}  // namespace vqscope
