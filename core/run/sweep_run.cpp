// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_run.h"

#include "core/base/guard.h"
#include "core/base/parallel.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace vqscope {
namespace {

class PointCarrier {
 public:
  PointCarrier(const Sweep& sweep, const SweepRun& run) : m_sweep(sweep), m_run(run) {}

  void carry_out_next(Index index) {
    if (m_ended) return;
    if (m_run.stop.stop_requested()) return end(cancelled());
    const SweepPoint point = sweep_point(m_sweep, index);
    if (const auto seconds = finished_seconds(m_run.folder, point))
      return m_run.notify({.point = index, .state = PointState::found, .seconds = *seconds});
    m_run.notify({.point = index, .state = PointState::running});
    const auto seconds = guarded([&] { return compute(index, point); });
    if (seconds) return m_run.notify({.point = index, .state = PointState::computed, .seconds = *seconds});
    if (seconds.error().code == Errc::cancelled) {
      m_run.notify({.point = index, .state = PointState::waiting});
      return end(seconds.error());
    }
    m_run.notify({.point = index, .state = PointState::failed, .sentence = seconds.error().message});
    if (!m_run.continue_on_failure) end(seconds.error());
  }

  Result<void> outcome() const { return m_problem ? Result<void>(*m_problem) : Result<void>(); }

 private:
  Result<double> compute(Index index, const SweepPoint& point) const {
    const Work work{.progress =
                        [this, index](double fraction) {
                          m_run.notify({.point = index, .state = PointState::running, .fraction = fraction});
                        },
                    .stop = m_run.stop};
    return vqscope::carry_out(m_run.folder, m_sweep, point, m_run.version, work);
  }

  void end(const Error& error) {
    m_ended = true;
    const std::lock_guard lock(m_report_mutex);
    if (!m_problem) m_problem = error;
  }

  const Sweep& m_sweep;
  const SweepRun& m_run;
  std::atomic<bool> m_ended = false;
  std::mutex m_report_mutex;
  std::optional<Error> m_problem;
};

}  // namespace

Result<void> carry_out_points(const Sweep& sweep, const SweepRun& run) {
  PointCarrier carrier(sweep, run);
  const auto count = static_cast<Index>(run.points.size());
  parallel_for(count, static_cast<int>(run.jobs),
               [&](Index i) { carrier.carry_out_next(run.points[static_cast<std::size_t>(i)]); });
  return carrier.outcome();
}

}  // namespace vqscope
