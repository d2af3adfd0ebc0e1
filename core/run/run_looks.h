// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart of a run shows beside its curves, in the run's file.
#pragma once

#include "core/io/json/json_reader.h"
#include "core/method/curve_set.h"
#include "core/method/value_json.h"

namespace vqscope {

struct RunLooks {
  std::string x_title = {};
  std::vector<CurveMark> marks = {};
  std::vector<CurveLevel> levels = {};
  std::vector<CurveStretch> stretches = {};
  std::optional<Published> published = {};
};

/// Adds "x_title", "marks", "levels", "stretches" and "published", each only where the curves have it.
void add_looks(JsonObject& object, const CurveSet& curves);

/// Files of older versions have none of them; items that lack a number or a label are left out.
RunLooks read_looks(const ConfigValue& json);

/// Removes from `common` what `other` does not show.
void keep_common(RunLooks& common, const RunLooks& other);

}  // namespace vqscope
