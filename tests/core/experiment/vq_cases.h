// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_setting.h"
#include "tests/support/curve_checks.h"

namespace vqscope::test {

/// A setting that is computed in no time, with the kind of keys that codewords suit.
inline VqSetting small_setting() {
  VqSetting setting;
  setting.q_length = 48;
  setting.n_code = 8;
  setting.block_len = 10;
  setting.d_k = 8;
  setting.d_v = 6;
  setting.keys.clusters = 8;
  setting.train_keys = 200;
  setting.steps = 10;
  return setting;
}

/// The same as values, with some others.
inline ParameterValues::Map small_values(const ParameterValues::Map& set = {}) {
  ParameterValues::Map values{
      {"d_k", Index{8}}, {"clusters", Index{8}}, {"train_keys", Index{200}}, {"steps", Index{10}}};
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

// For methods of the experiments' list:
inline ParameterValues curve_values(const char* id, const ParameterValues::Map& set) {
  return curve_values(experiment_methods(), id, set);
}
inline Result<CurveSet> curves_of(const char* id, const ParameterValues::Map& set = {}) {
  return curves_of(experiment_methods(), id, set);
}
inline std::vector<CurveSet> reported_sets(const char* id, const ParameterValues::Map& set = {}) {
  return reported_sets(experiment_methods(), id, set);
}
inline bool stops(const char* id, const ParameterValues::Map& set = {}) { return stops(experiment_methods(), id, set); }

}  // namespace vqscope::test
