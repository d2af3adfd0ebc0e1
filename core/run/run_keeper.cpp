// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_keeper.h"

namespace vqscope {

bool keeps_runs(const Method& method) {
  if (method.category != "experiments") return false;
  return method.curves() ? method.curves()->origin == CurveOrigin::measured : method.run() != nullptr;
}

Result<void> RunKeeper::keep(const Method& method, const ParameterValues& values, const CurveSet& curves,
                             double seconds, bool complete) {
  const Run run = ended_run(method, values, curves, seconds, m_version, complete);
  if (!m_name.empty()) return m_store.replace(m_name, run);
  auto name = m_store.keep(run);
  if (!name) return name.error();
  m_name = std::move(*name);
  return {};
}

}  // namespace vqscope
