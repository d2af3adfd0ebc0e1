// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/attention/memory/cache.h"
#include "core/base/sentence.h"
#include "core/base/shared_computation.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

double length_of(const float* vector, Index width) {
  double squares = 0;
  for (Index c = 0; c < width; ++c) squares += std::pow(static_cast<double>(vector[c]), 2);
  return std::sqrt(squares);
}

Index blocks_in(Index length, Index block_len) { return (length - 1) / block_len + 1; }

}  // namespace

Index cache_blocks(const VqSetting& setting) { return blocks_in(setting.q_length, setting.block_len); }

Result<CacheFill> fill_cache(const VqSetting& setting, const Work& work) {
  const auto experiment = run_vq(setting, work);
  if (!experiment) return experiment.error();
  CacheStates cache(2, setting.n_code, setting.d_v);  // used alternately
  Index state = 0;
  CacheFill filled{.blocks = cache_blocks(setting), .n_code = setting.n_code};
  for (Index begin = 0; begin < setting.q_length; begin += setting.block_len) {
    if (work.stop.stop_requested()) return cancelled();
    add_keys({.codes = experiment->quantised.codes.data() + begin,
              .values = experiment->data.values.data() + begin * setting.d_v,
              .count = std::min(setting.block_len, setting.q_length - begin)},
             cache, state, 1 - state);
    state = 1 - state;
    filled.counts.insert(filled.counts.end(), cache.counts_of(state), cache.counts_of(state) + setting.n_code);
    for (Index s = 0; s < setting.n_code; ++s)
      filled.lengths.push_back(length_of(cache.means_of(state) + s * setting.d_v, setting.d_v));
  }
  return filled;
}

Result<std::shared_ptr<const CacheFill>> shared_cache_fill(const ParameterValues& values, const VqSetting& setting,
                                                           const Work& work) {
  static SharedComputation<SettingKey, CacheFill> known;
  return known.get(key_of(values, setting, {"cached", "filled"}), work,
                   [setting](const Work& shared) { return fill_cache(setting, shared); });
}

std::vector<ParameterSpec> cache_parameters() {
  auto specs = vq_parameters({"q_tensor"});
  for (const char* name : {"n_code", "block_len"}) spec_of(specs, name).role = ParameterRole::shape;
  for (auto& spec : filled_parameter(default_values(specs))) specs.push_back(std::move(spec));
  return specs;
}

std::vector<ParameterSpec> filled_parameter(const ParameterValues& values) {
  // The values may be invalid: they are checked later.
  const auto at_least_one = [&](const char* name, Index default_value) {
    return values.find(name) ? std::max<Index>(values.integer(name), 1) : default_value;
  };
  const VqSetting standard;
  const Index blocks =
      blocks_in(at_least_one("q_length", standard.q_length), at_least_one("block_len", standard.block_len));
  return {make_parameter("filled", "VQ attention",
                         "Number of blocks in the cache. Press ▶ to see it fill block by block.",
                         {.label = "Blocks in the cache",
                          .default_value = blocks,
                          .minimum = 1,
                          .maximum = static_cast<double>(blocks),
                          .playable = true})};
}

/// At most 2^16 blocks of 2^12 codes: 2^32 bytes for both numbers.
Result<void> check_cache(const ParameterValues& values) {
  if (auto checked = check_vq(values); !checked) return checked;
  const auto setting = vq_sizes(values);
  if (!setting) return setting.error();
  const double bytes = 16 * static_cast<double>(cache_blocks(*setting) * setting->n_code);
  if (bytes <= most_vq_bytes) return {};
  return invalid("{} blocks of block_len {} and n_code {} need {} for the caches but must be at most {}",
                 cache_blocks(*setting), setting->block_len, setting->n_code, byte_count(bytes),
                 byte_count(most_vq_bytes));
}

}  // namespace vqscope
