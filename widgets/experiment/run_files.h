// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/run_result.h"

#include <QToolButton>

namespace vqscope {

/// Paths by the names of a run's files, as bytes.
using RunPaths = std::map<std::string, std::string>;

/// Opens the files; errors name the path. A folder is not opened.
Result<RunFiles> openRunFiles(const RunPaths& paths);

/// "Files": a menu of the files that a run reads, each to choose or to leave out. Hidden for
/// methods without any.
class RunFilesButton : public QToolButton {
  Q_OBJECT
 public:
  explicit RunFilesButton(QWidget* parent);

  void setMethod(const Method& method);
  /// The chosen files of the method.
  RunPaths paths() const;
  /// An empty path leaves the file out.
  void choose(const std::string& input, const std::string& path);

 signals:
  /// The user has chosen or left out the file of this input.
  void chosen(const std::string& input);

 private:
  void fill();
  enum class PathKind { file, folder };
  void choosePath(const RunInput& input, PathKind kind);

  const Method* m_method = nullptr;
  std::map<std::string, RunPaths> m_paths;  ///< by method
};

}  // namespace vqscope
