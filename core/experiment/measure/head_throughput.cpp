// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/head_throughput.h"

#include "core/attention/codebook/keys.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_drawn = 2048;  // rows

/// [rows, width] with standard deviation `deviation`, repeating the sampled rows. Empty after a
/// stop.
std::vector<float> repeated_rows(std::uint64_t seed, Index rows, Index width, double deviation,
                                 const std::stop_token& stop) {
  std::vector<float> all =
      sample_keys({.kind = KeyKind::independent, .seed = seed}, std::min(rows, most_drawn), width, stop);
  if (stop.stop_requested()) return {};
  for (float& x : all) x *= static_cast<float>(deviation);
  const std::size_t drawn = all.size();
  const auto wanted = static_cast<std::size_t>(rows * width);
  all.reserve(wanted);
  for (std::size_t done = drawn; done < wanted && !stop.stop_requested(); done += drawn) {
    const std::size_t some = std::min(drawn, wanted - done);
    all.resize(done + some);
    std::copy_n(all.begin(), some, all.begin() + static_cast<std::ptrdiff_t>(done));
  }
  return all;
}

/// A measurement restarts its progress for each repetition: only the maximum counts.
class Ascending {
 public:
  explicit Ascending(const Work& work) : m_work(work) {}
  void report(double done) {
    if (done <= m_reported) return;
    m_reported = done;
    m_work.report(done);
  }

 private:
  const Work& m_work;
  double m_reported = 0;
};

}  // namespace

HeadShape head_shape(HeadType type, Index num_heads, Index d_k, Index d_v) {
  if (type == HeadType::shga) return {type, 1, 1, d_k, d_v};
  assert(num_heads > 0 && d_v % num_heads == 0);
  return {type, num_heads, type == HeadType::mha ? num_heads : 1, d_k, d_v / num_heads};
}

double head_tokens_bytes(const HeadShape& shape, Index length, Index n_code) {
  const Index gate = shape.type == HeadType::shga ? shape.d_v : 0;
  const Index a_token = shape.heads * shape.d_k + shape.kv_heads * (shape.d_k + shape.d_v) + gate;
  return sizeof(float) * (static_cast<double>(length) * static_cast<double>(a_token) +
                          static_cast<double>(shape.kv_heads * n_code) * static_cast<double>(shape.d_k));
}

HeadTokens::HeadTokens(const HeadShape& shape, Index length, Index n_code, std::uint64_t seed,
                       const std::stop_token& stop)
    : m_shape(shape), m_length(length), m_n_code(n_code) {
  const double deviation = std::pow(static_cast<double>(shape.d_k), -0.25);
  m_q = repeated_rows(seed, shape.heads * length, shape.d_k, deviation, stop);
  m_k = repeated_rows(seed + 1, shape.kv_heads * length, shape.d_k, deviation, stop);
  m_v = repeated_rows(seed + 2, shape.kv_heads * length, shape.d_v, 1, stop);
  m_codebook = repeated_rows(seed + 3, shape.kv_heads * n_code, shape.d_k, deviation, stop);
  if (shape.type == HeadType::shga) m_gate = repeated_rows(seed + 4, length, shape.d_v, 1, stop);
}

AttentionInput HeadTokens::input() const {
  AttentionInput input;
  input.q = {m_q, m_shape.heads, m_length, m_shape.d_k};
  input.k = {m_k, m_shape.kv_heads, m_length, m_shape.d_k};
  input.v = {m_v, m_shape.kv_heads, m_length, m_shape.d_v};
  input.codebook = {m_codebook, m_shape.kv_heads, m_n_code, m_shape.d_k};
  if (!m_gate.empty()) input.gate = {m_gate, m_shape.heads, m_length, m_shape.d_v};
  return input;
}

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
    const auto report = [&](double part) { progress.report((before + part) / all); };
    const auto seconds = seconds_of(timed, tokens.input(), {.progress = report, .stop = work.stop});
    if (!seconds) return seconds.error();
    all_seconds.push_back(*seconds);
    report(1);
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
  if (done.error().code == Errc::too_large) return Spread{.skipped = Skipped::memory};
  return done.error();
}

}  // namespace vqscope
