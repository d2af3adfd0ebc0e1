// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_keeper.h"

#include <QElapsedTimer>
#include <QString>

namespace vqscope {

/// Keeps a run in `folder` while it goes on. A failure is a warning only, given once, because the results are still
/// written to the requested files.
class KeptRunFile {
 public:
  /// Method and values must outlive this.
  KeptRunFile(const QString& folder, const Method& method, const ParameterValues& values);

  void keep(const CurveSet& curves, bool complete);
  /// For curves that change many times a second: keeps those of every few seconds.
  void keepNowAndThen(const CurveSet& curves);
  /// A note where the run was stopped and something is kept.
  void tellOfStop() const;
  /// Where files of the run may lie: beside it, of its name. Empty if nothing was kept.
  QString folderOfFiles() const;

 private:
  QString m_folder;
  RunKeeper m_keeper;
  const Method& m_method;
  const ParameterValues& m_values;
  QElapsedTimer m_clock;
  qint64 m_next = 0;  ///< milliseconds on the clock
  bool m_failed = false;
};

}  // namespace vqscope
