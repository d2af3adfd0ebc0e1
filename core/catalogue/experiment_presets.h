// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>
#include <string_view>

namespace vqscope {

/// A question that an experiment answers with these values: a file of resources/experiments. Its
/// JSON has `order`, `title`, `experiment`, `note`, `source` and `parameters`; those that are not named have
/// the experiment's defaults.
struct ExperimentPreset {
  std::string id;     ///< the file's name without .json
  Index order = 0;    ///< among the cards of the page
  std::string title;  ///< the question
  const Method* experiment = nullptr;
  std::string note;        ///< what was claimed, what is measured here, and how they differ in size
  std::string source;      ///< authors, year, section
  ParameterValues values;  ///< of every parameter of the experiment
};

/// Names the key that is missing, unknown or wrong.
Result<ExperimentPreset> read_experiment_preset(std::string_view id, std::string_view json);

/// All of them, by id.
std::span<const ExperimentPreset> experiment_presets();

/// The error names the nearest known id.
Result<const ExperimentPreset*> require_experiment_preset(std::string_view id);

}  // namespace vqscope
