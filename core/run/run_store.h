// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that a person has made: a folder with one file a run. A run's file is written once and never changed: its
// title and note stand in a file beside it, and a run that is deleted goes to the folder's `deleted`, from where it can
// come back.
#pragma once

#include "core/method/method.h"
#include "core/run/run_file.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// What a person says of a run.
struct RunNote {
  std::string title;  ///< at most most_note_bytes, as is the next
  std::string note;
  friend bool operator==(const RunNote&, const RunNote&) = default;
};
inline constexpr std::size_t most_note_bytes = 4096;

struct KeptRun {
  std::string name;  ///< of its file, without ".json"; the time it ended comes first
  StoredRun run;
  RunNote note;
};

struct RunListing {
  std::vector<KeptRun> runs;         ///< the newest first
  std::vector<std::string> damaged;  ///< "PATH: what is wrong", of files that cannot be read
};

class RunStore {
 public:
  /// The folder need not exist: the first run makes it.
  explicit RunStore(std::string folder) : m_folder(std::move(folder)) {}

  const std::string& folder() const { return m_folder; }
  std::string path(const std::string& name) const { return m_folder + "/" + name + ".json"; }

  /// Writes a run aside and gives it a name that no other run has, also where several processes do so at once. Errors
  /// name the path, and say that a disk is full. A run of more than most_json_bytes is refused.
  Result<std::string> keep(const Run& run) const;

  /// Writes a run that goes on under the name that keep() gave it; the former file stays until the new one is whole.
  Result<void> replace(const std::string& name, const Run& run) const;

  /// A folder that is not there has no runs. A damaged file is named and the others are listed.
  Result<RunListing> list() const;
  Result<KeptRun> find(const std::string& name) const;

  Result<void> annotate(const std::string& name, const RunNote& note) const;
  /// The run goes to the folder's `deleted`; restore() brings it back.
  Result<void> remove(const std::string& name) const;
  Result<void> restore(const std::string& name) const;

 private:
  std::string m_folder;
};

/// $XDG_DATA_HOME/vqscope/runs, else ~/.local/share/vqscope/runs; a variable that is no absolute path does not count.
std::string default_run_folder();

/// Seconds that the newest complete run of these values took (run_id), or else the newest one of the method; nothing
/// where none is listed.
struct TimeBefore {
  double seconds = 0;
  bool same_values = false;
};
std::optional<TimeBefore> time_before(const std::vector<KeptRun>& runs, const std::string& method,
                                      const std::string& id);

/// Now, in UTC: "2026-01-31T12:00:00Z".
std::string time_now();

/// What there is to keep of an experiment that has ended now.
Run ended_run(const Method& method, const ParameterValues& values, const CurveSet& curves, double seconds,
              std::string version, bool complete = true);

}  // namespace vqscope
