// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a run's chart besides its curves, as stored in the run's file.
#pragma once

#include "core/io/json/json_reader.h"
#include "core/method/curve_set.h"
#include "core/method/value_json.h"

namespace vqscope {

struct RunLooks {
  std::string x_title = {};
  std::vector<CurveMark> marks = {};
  std::vector<CurveLevel> levels = {};
  std::vector<CurveSegment> segments = {};
  std::optional<Published> published = {};
  std::string formula = {};
  bool steps = false;
  bool integer = false;
  bool exact = true;
  std::vector<std::string> x_names = {};
  bool names_at_points = false;
  std::string principal = {};  ///< name of the curve; empty: none
  /// Three curves by name.
  struct Band {
    std::string of, least, greatest;
  };
  std::vector<Band> bands = {};

  /// Applies the looks to curves with these names; bands only if their curves are present.
  void apply_to(CurveSet& curves) const;
};

/// Adds "x_title", "marks", "levels", "stretches", "published", "formula", "steps", "integer",
/// "exact", "x_names", "names_at_points", "principal" and "bands", each only if the curves have it or it differs from
/// the default.
void add_looks(JsonObject& object, const CurveSet& curves);

/// Files of older versions have none of them; items without a number or a label are left out.
RunLooks read_looks(const ConfigValue& json);

/// Removes from `common` what `other` does not show.
void keep_common(RunLooks& common, const RunLooks& other);

}  // namespace vqscope
