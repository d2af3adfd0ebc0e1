// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/run/run_file.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

// The runs of the user: a folder with one file per run. A run's file is not changed once the run
// has ended: its title and note are in a file beside it, and a deleted run goes to the folder's
// `deleted`, from where it can be restored.

/// The user's title and note of a run.
struct RunNote {
  std::string title;  ///< at most most_note_bytes, like the next one
  std::string note;
  friend bool operator==(const RunNote&, const RunNote&) = default;
};
inline constexpr std::size_t most_note_bytes = 4096;

struct KeptRun {
  std::string name;  ///< of its file, without ".json"; begins with the time the run ended
  StoredRun run;
  RunNote note;
};

struct RunListing {
  std::vector<KeptRun> runs;         ///< the newest first
  std::vector<std::string> damaged;  ///< "PATH: what is wrong" for files that cannot be read
};

class RunStore {
 public:
  /// The folder need not exist: the first run creates it.
  explicit RunStore(std::string folder) : m_folder(std::move(folder)) {}

  const std::string& folder() const { return m_folder; }
  std::string path(const std::string& name) const { return m_folder + "/" + name + ".json"; }

  /// Writes a run to a new file with a name that no other run has, even if several processes do so
  /// at once. Errors name the path, and a full disk. A run of more than most_json_bytes is refused.
  Result<std::string> keep(const Run& run) const;

  /// Writes a run in progress under the name that keep() returned; the former file stays until the
  /// new one is complete.
  Result<void> replace(const std::string& name, const Run& run) const;

  /// A missing folder has no runs. Damaged files are named, and the others are listed.
  Result<RunListing> list() const;
  Result<KeptRun> find(const std::string& name) const;

  Result<void> annotate(const std::string& name, const RunNote& note) const;
  /// The run goes to the folder's `deleted`; restore() brings it back.
  Result<void> remove(const std::string& name) const;
  Result<void> restore(const std::string& name) const;

 private:
  std::string m_folder;
};

/// $XDG_DATA_HOME/vqscope/runs, else .local/share/vqscope/runs in home_folder(); a variable that is
/// not an absolute path is ignored. Empty if there is no home folder: runs cannot be kept then.
std::string default_run_folder();

/// The current time in UTC: "2026-01-31T12:00:00Z".
std::string time_now();

/// The run to keep of an experiment that has just ended.
Run ended_run(const Method& method, const ParameterValues& values, const CurveSet& curves, double seconds,
              std::string version, bool complete = true);

/// Whether runs of the method are kept: only experiments that measure. Results that are counted or
/// computed from a formula can be recomputed at once.
bool keeps_runs(const Method& method);

/// Keeps one run while it goes on: its file appears with the first curves and is replaced by each
/// later state, so a stop, a crash or a kill loses nothing that was measured.
class RunKeeper {
 public:
  RunKeeper(RunStore store, std::string version) : m_store(std::move(store)), m_version(std::move(version)) {}

  /// `complete` is false while the run goes on, and if it was stopped.
  Result<void> keep(const Method& method, const ParameterValues& values, const CurveSet& curves, double seconds,
                    bool complete);

  /// Name of the run's file; empty until something is kept.
  const std::string& name() const { return m_name; }

 private:
  RunStore m_store;
  std::string m_version;
  std::string m_name;
};

}  // namespace vqscope
