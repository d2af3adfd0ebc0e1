// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <QString>

#include <map>
#include <mutex>
#include <optional>

class QWidget;

namespace vqscope {

/// The result of a run, with what it was made from.
struct TrainedRun {
  const Method* method = nullptr;
  ParameterValues values;
  std::shared_ptr<const RunResult> result;
};

/// The last result: a worker puts it, the GUI thread takes it.
class LastRun {
 public:
  void put(TrainedRun run);
  /// Nothing: none yet, or one of another method or other values.
  std::optional<TrainedRun> find(const Method& method, const ParameterValues& values) const;

 private:
  mutable std::mutex m_mutex;
  TrainedRun m_run;
};

/// Where the outputs of a run go beside PATH.safetensors: PATH.config.json and so on, by suffix.
/// `path` has the suffix of the weights or none.
std::map<std::string, QString> runPaths(const RunResult& result, const QString& path);

/// Writes all of the files or none.
Result<void> saveRun(const RunResult& result, const std::map<std::string, QString>& paths);

/// Asks where to save, and whether to replace files that exist. A sentence on what was done; empty:
/// cancelled.
Result<QString> chooseAndSaveRun(const RunResult& result, QWidget* parent);

}  // namespace vqscope
