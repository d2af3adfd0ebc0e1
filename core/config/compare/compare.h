// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

#include <string>

namespace vqscope {

/// One difference in meaning. The same angles written with other keys are none.
struct ConfigDifference {
  std::string fact;     ///< "rope_theta", "sliding window"; with the layers if it concerns some of them
  std::string a, b;     ///< value in each config, in a few words
  std::string meaning;  ///< one sentence, without a full stop
  int weight = 0;       ///< from 1 to 100: how much of the model's behaviour depends on it
};

/// What sentences call the two configs.
struct ConfigNames {
  std::string a = "A";
  std::string b = "B";
};

/// Bytes of the keys and values of one token in all layers together, with 16-bit numbers; 0: not
/// known.
Index cache_bytes_of_token(const LayerSchedule& schedule);

/// Differences of layers: number, windows, kinds, layers without RoPE, sinks, temperatures, heads
/// and the cache.
void add_layer_differences(const ConfigReport& a, const ConfigReport& b, const ConfigNames& names,
                           std::vector<ConfigDifference>& all);

/// Differences of the RoPE of some layers; `layers` is for the facts' names.
void add_rope_differences(const RopeUse& a, const RopeUse& b, const ConfigNames& names, const std::string& layers,
                          std::vector<ConfigDifference>& all);

// Two models' configs, compared by what they mean.

/// The differences, the heaviest first.
std::vector<ConfigDifference> compare_configs(const ConfigReport& a, const ConfigReport& b,
                                              const ConfigNames& names = {});

/// Keeps the heaviest differences, up to a readable number; the sentences count the others.
std::vector<std::string> shorten_differences(std::vector<ConfigDifference>& differences);

/// The errors of a config, such as contradictions with its checkpoint, as lines that begin with its
/// name; empty: there are none.
std::string errors_text(const std::string& name, const ConfigReport& report);

/// The differences as lines of text, or a line that there are none. `errors`, of either config, come
/// first: with them, the comparison holds for the configs only.
std::string comparison_text(const std::string& a, const std::string& b,
                            const std::vector<ConfigDifference>& differences, const std::string& errors = {});

}  // namespace vqscope
