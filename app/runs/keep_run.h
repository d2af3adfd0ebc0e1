// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/added_commands.h"
#include "core/base/machine.h"
#include "core/run/run_store.h"

#include <memory>
#include <string>

namespace vqscope {

/// Keeps a run in `folder` while it goes on. A failure is a warning only, given once, because the
/// results are still written to the requested files.
class KeptRunFile : public ResultKeeper {
 public:
  /// Method and values must outlive this.
  KeptRunFile(const std::string& folder, const Method& method, const ParameterValues& values);

  void keep(const CurveSet& curves, bool complete) override;
  /// For curves that change many times a second: keeps those of every few seconds.
  void keepNowAndThen(const CurveSet& curves);
  void reportStop() const override;
  /// Folder for files of the run, beside it and with its name. Empty if nothing was kept.
  std::string folderOfFiles() const;

 private:
  std::string m_folder;
  RunKeeper m_keeper;
  const Method& m_method;
  const ParameterValues& m_values;
  Clock m_clock;
  double m_next = 0;  ///< seconds on the clock
  bool m_failed = false;
};

/// Null if runs of the method are not kept.
std::unique_ptr<ResultKeeper> keepRun(const std::string& folder, const Method& method, const ParameterValues& values);

}  // namespace vqscope
