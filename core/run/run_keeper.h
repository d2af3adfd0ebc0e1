// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_store.h"

namespace vqscope {

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
