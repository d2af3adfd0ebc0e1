// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/attention/forms/decoder.h"
#include "core/attention/kernels/kernels.h"
#include "core/base/sentence.h"
#include "core/experiment/measure/measured_time.h"
#include "core/experiment/measure/vq_throughput.h"
#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vqscope {
namespace {

constexpr Index first_context = 16;
constexpr Index tokens_timed = 16;

std::vector<ParameterSpec> vq_decode_parameters() {
  auto specs = vq_parameters({"q_length", "normalize", "train_keys", "steps", "gamma", "k_tensor"});
  specs.push_back(length_max_parameter());
  add_parameter(
      specs, "kept", "Curve", "Quantity to plot for one more token.",
      {.label = "Draw",
       .default_value = std::string("seconds"),
       .choices = {{"seconds", "time per token, measured on this machine, now"}, {"bytes", "memory of the cache"}}});
  specs.push_back(repeats_parameter());
  specs.back().relevant = {{"kept", {"seconds"}}};
  return specs;
}

/// Attention of the last of `length` tokens over all of them.
void attend_exactly(const VqData& data, Index length, std::vector<float>& scores, std::vector<float>& out) {
  const AttentionKernels& kernels = best_kernels();
  const Range tokens{0, length};
  scores.resize(static_cast<std::size_t>(length));
  kernels.row_products(rows_of(matrix_of(data.queries, data.d_k), {length - 1, length}),
                       rows_of(matrix_of(data.keys, data.d_k), tokens), scores.data(), length);
  const float sum = kernels.exponentials(scores.data(), length, kernels.largest(scores.data(), length));
  kernels.scale(scores.data(), length, 1 / sum);
  std::ranges::fill(out, 0.0F);
  kernels.add_product({scores.data(), 1, length, length}, rows_of(matrix_of(data.values, data.d_v), tokens), out.data(),
                      data.d_v);
}

/// Seconds per token for the tokens just before each length.
class Decoding {
 public:
  Decoding(const VqSetting& setting, const VqData& data, VqDecoder decoder, Index repeats)
      : m_data(data), m_decoder(std::move(decoder)), m_repeats(repeats), m_out(static_cast<std::size_t>(setting.d_v)) {}

  Spread exactly(Index length, const Work& work) {
    return seconds_of(work, m_repeats, [&] { attend_exactly(m_data, length, m_scores, m_out); });
  }

  /// The same tokens each time, from the same cache.
  Spread through_cache(Index length, const Work& work) {
    const Index timed = std::min(tokens_timed, length - m_decoder->length());
    go_on_to(length - timed, work);
    const VqDecoder before = *m_decoder;
    const MeasuringAlone alone(work.stop);
    std::vector<double> seconds;
    for (Index i = 0; i < m_repeats && !work.stop.stop_requested(); ++i) {
      m_decoder.emplace(before);
      const auto begin = std::chrono::steady_clock::now();
      go_on_to(length, work);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
      seconds.push_back(taken.count() / static_cast<double>(timed));
    }
    return spread_of(std::move(seconds));
  }

 private:
  void go_on_to(Index length, const Work& work) {
    for (Index i = m_decoder->length(); i < length && !work.stop.stop_requested(); ++i)
      m_decoder->step(m_data.queries.data() + i * m_data.d_k, m_data.keys.data() + i * m_data.d_k,
                      m_data.values.data() + i * m_data.d_v, m_out.data());
  }

  const VqData& m_data;
  std::optional<VqDecoder> m_decoder;
  Index m_repeats;
  std::vector<float> m_scores;
  std::vector<float> m_out;
};

CurveSet vq_decode_described(bool bytes, Index repeats) {
  return {
      .x_name = "length",
      .x_title = "tokens including this one, T (tokens)",
      .y_title = bytes ? "bytes kept" : "seconds per token",
      .formula = fmt::format(
          "kv_cache: exact attention of one query over all keys and values; vq_cache: over the "
          "newest block and one entry per code; seconds per token around T, median of {}; {}, float32, one head; {}",
          repeats, machine_text(1), vq_measured),
      .log_x = true,
      .log_y = true,
      .curves = {{"kv_cache", {}}, {"vq_cache", {}}},
      .exact = false};
}

Result<void> fill_seconds(const VqSetting& setting, Index repeats, const Work& work, CurveSet& set) {
  const VqData data = draw_vq(setting, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  const TensorView codebook{data.train, 1, setting.n_code, setting.d_k};
  AttentionOptions options;
  options.block_len = setting.block_len;
  auto decoder = VqDecoder::make(codebook, 1, setting.d_v, {}, options);
  if (!decoder) return decoder.error();
  Decoding decoding(setting, data, std::move(*decoder), repeats);
  add_spread_curves(set);
  for (const double length : set.x) {
    add_spread(set, 0, decoding.exactly(static_cast<Index>(length), work));
    add_spread(set, 1, decoding.through_cache(static_cast<Index>(length), work));
    if (work.stop.stop_requested()) return cancelled();
    work.report(length / set.x.back());
    if (work.partial) work.partial(set);
  }
  return {};
}

Result<CurveSet> make_vq_decode(const ParameterValues& values, const Work& work) {
  VqSetting setting = timed_setting(values);
  const bool bytes = values.choice("kept") == "bytes";
  const Index repeats = values.integer("repeats");
  CurveSet set = vq_decode_described(bytes, repeats);
  set.x = powers_of_two(std::min(first_context, setting.q_length), setting.q_length);
  if (!bytes) {
    if (auto filled = fill_seconds(setting, repeats, work, set); !filled) return filled.error();
  } else {
    for (const double length : set.x) {
      setting.q_length = static_cast<Index>(length);
      set.curves[0].y.push_back(kv_cache_bytes(setting));
      set.curves[1].y.push_back(vq_cache_bytes(setting));
    }
  }
  const double at = crossover(set.x, set.curves[0].y, set.curves[1].y);
  set.facts = {{"crossover", at}, {"kv_over_vq", set.curves[0].y.back() / set.curves[1].y.back()}};
  if (!std::isnan(at)) set.marks = {{at, "crossover at " + grouped(static_cast<Index>(std::llround(at))) + " tokens"}};
  return set;
}

Result<void> check_vq_decode(const ParameterValues& values) {
  return check_vq_setting(timed_setting(values), "length_max", "n_code");
}

}  // namespace

double kv_cache_bytes(const VqSetting& setting) {
  return 4 * static_cast<double>(setting.q_length * (setting.d_k + setting.d_v));
}

double vq_cache_bytes(const VqSetting& setting) {
  const Index newest = std::min(setting.q_length, setting.block_len);
  return 4 * static_cast<double>(newest * (1 + setting.d_v) + setting.n_code * (2 + setting.d_v + setting.d_k));
}

Method vq_decode_method() {
  return {.id = "vq_decode",
          .title = "Cost of one more token",
          .help =
              "Time or memory to decode one token after T tokens, with each cache. The caches are the full key/value "
              "cache and the VQ cache.",
          .citation = vq_citation("section 3.3"),
          .parameters = vq_decode_parameters(),
          .check = check_vq_decode,
          .recipe = CurveRecipe{.make = make_vq_decode, .origin = CurveOrigin::measured, .clocked = true}};
}

}  // namespace vqscope
