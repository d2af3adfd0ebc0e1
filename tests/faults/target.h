// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/faults/child.h"

#include <filesystem>
#include <map>

namespace vqscope::faults {

/// A command, and the files that it writes: each is its former self or whole, whatever happens.
struct Target {
  std::string name;
  Words command;  ///< run within the folder
  Words files;
  Words inputs = {};   ///< paths that are copied into the folder
  bool former = true;  ///< the files are there before
};

/// A folder in which a target's command is run again and again.
class Stage {
 public:
  Stage(const Target& target, const std::filesystem::path& folder);

  /// As before the first run.
  void reset();
  /// Error of the files; empty: none. After a run that succeeded: all are new. After one that
  /// failed: all are old, and nothing else is there. After a kill: each is old or new, and beside
  /// it at most what the next run takes over.
  std::string check_done() const;
  std::string check_failed() const;
  std::string check_killed() const;
  /// Files of the undisturbed command.
  void learn();

  const std::filesystem::path& folder() const { return m_folder; }

 private:
  enum class State { former, whole, torn };
  State state_of(const std::string& file) const;
  std::string check_others(bool killed) const;

  const Target& m_target;
  std::filesystem::path m_folder;
  std::map<std::string, std::string> m_whole;
};

}  // namespace vqscope::faults
