// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/keep_run.h"

#include "app/process/console.h"
#include "core/io/bytes/path_text.h"

namespace vqscope {
namespace {

constexpr double keepPeriod = 5;  // seconds

}  // namespace

KeptRunFile::KeptRunFile(const std::string& folder, const Method& method, const ParameterValues& values)
    : m_folder(folder), m_keeper(RunStore(folder), VQSCOPE_VERSION), m_method(method), m_values(values) {}

void KeptRunFile::keep(const CurveSet& curves, bool complete) {
  const double seconds = m_clock.seconds();
  const auto kept = m_keeper.keep(m_method, m_values, curves, seconds, complete);
  if (!kept && !m_failed) warn("the run is not kept: " + kept.error().message);
  m_failed = m_failed || !kept;
}

void KeptRunFile::keepNowAndThen(const CurveSet& curves) {
  if (m_clock.seconds() < m_next) return;
  m_next = m_clock.seconds() + keepPeriod;
  CurveSet known = curves;
  for (auto& curve : known.curves) curve.y.resize(known.x.size(), no_value);
  keep(known, false);
}

std::string KeptRunFile::folderOfFiles() const {
  if (m_keeper.name().empty()) return {};
  return m_folder + "/files/" + m_keeper.name();
}

void KeptRunFile::reportStop() const {
  if (!m_keeper.name().empty()) note("what was measured so far is kept as run " + m_keeper.name());
}

std::unique_ptr<ResultKeeper> keepRun(const std::string& folder, const Method& method, const ParameterValues& values) {
  if (!keeps_runs(method)) return nullptr;
  return std::make_unique<KeptRunFile>(folder, method, values);
}

}  // namespace vqscope
