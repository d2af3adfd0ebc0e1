// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/head_throughput.h"

#include <algorithm>

namespace vqscope {
namespace {

/// A measurement reports progress anew for each repetition: only the maximum counts.
class Ascending {
 public:
  explicit Ascending(const Work& work) : m_work(work) {}
  void tell(double done) {
    if (done <= m_told) return;
    m_told = done;
    m_work.report(done);
  }

 private:
  const Work& m_work;
  double m_told = 0;
};

}  // namespace

HeadThroughput::HeadThroughput(const HeadShape& shape, const ThroughputSetting& setting)
    : m_shape(shape), m_n_code(setting.n_code), m_seed(setting.seed) {
  AttentionOptions options = setting.options;
  options.head_type = shape.type;
  options.form = AttentionForm::exact;
  m_timed.push_back({options, {2, setting.most_seconds, setting.repeats}});
  options.form = AttentionForm::vq_linear;
  for (const CacheReduction reduction : setting.reductions) {
    options.reduction = reduction;
    m_timed.push_back({options, {1, setting.most_seconds, setting.repeats}});
  }
}

Result<std::vector<Spread>> HeadThroughput::at(Index length, const Work& work) {
  const HeadTokens tokens(m_shape, length, m_n_code, m_seed, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  const auto all = static_cast<double>(m_timed.size());
  Ascending progress(work);
  std::vector<Spread> all_seconds;
  for (Timed& timed : m_timed) {
    const auto before = static_cast<double>(all_seconds.size());
    const auto tell = [&](double part) { progress.tell((before + part) / all); };
    const auto seconds = seconds_of(timed, tokens.input(), {.progress = tell, .stop = work.stop});
    if (!seconds) return seconds.error();
    all_seconds.push_back(*seconds);
    tell(1);
  }
  return all_seconds;
}

Result<Spread> HeadThroughput::seconds_of(Timed& timed, const AttentionInput& input, const Work& work) {
  Result<void> done;
  AttentionOptions options = timed.options;
  if (options.memory_limit > 0)  // 0 would mean no limit
    options.memory_limit = std::max(1.0, options.memory_limit - head_tokens_bytes(m_shape, input.q.rows, m_n_code));
  const Spread seconds = timed.times.at(input.q.rows, work, [&] {
    if (auto output = attention(input, options, work); !output) done = output.error();
  });
  if (work.stop.stop_requested()) return cancelled();
  if (done) return seconds;
  if (done.error().code == Errc::too_large) return Spread();
  return done.error();
}

}  // namespace vqscope
