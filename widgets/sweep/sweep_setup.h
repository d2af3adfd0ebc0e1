// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QSpinBox;

namespace vqscope {

class VaryList;

/// The input of a sweep: parameters and their values, seeds, folder of results, points at a time.
class SweepSetup : public QWidget {
  Q_OBJECT
 public:
  explicit SweepSetup(QWidget* parent = nullptr);

  /// Sets the experiment and the values of its form; the input of the sweep stays.
  void setBase(const Method& method, const ParameterValues& values);
  /// Varied values, with one seed.
  void setVaried(const std::vector<VaryText>& varied);
  SweepPlan plan() const;
  /// The entered folder; empty: a folder of the sweep's own. `~/` is the home folder.
  QString folder() const;
  Index jobs() const;

  VaryList* vary() const { return m_vary; }
  /// Shows the folder that is used if none is entered.
  void showOwnFolder(const QString& folder);

 signals:
  /// plan() or folder() has changed.
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
