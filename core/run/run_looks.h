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
  std::string formula = {};
  bool steps = false;
  bool integer = false;
  bool exact = true;
  std::string principal = {};  ///< name of the curve; empty: none
  /// Names of curves.
  struct Band {
    std::string of, least, greatest;
  };
  std::vector<Band> bands = {};

  /// Of curves by these names; of bands only those whose curves are there.
  void apply_to(CurveSet& curves) const;
};

/// Adds "x_title", "marks", "levels", "stretches", "published", "formula", "steps", "integer", "exact", "principal" and
/// "bands", each only where the curves have it, or it is not the usual.
void add_looks(JsonObject& object, const CurveSet& curves);

/// Files of older versions have none of them; items that lack a number or a label are left out.
RunLooks read_looks(const ConfigValue& json);

/// Removes from `common` what `other` does not show.
void keep_common(RunLooks& common, const RunLooks& other);

}  // namespace vqscope
