// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <optional>
#include <span>
#include <string_view>

namespace vqscope {

/// A question that an experiment answers with these values: a file of resources/experiments. Its
/// JSON has `order`, `title`, `experiment`, `brief`, `note`, `source` and `parameters`; those that
/// are not named have the experiment's defaults. `quick`, if it has one, names the values of a
/// smaller measurement of the same question, over those of `parameters`.
struct ExperimentPreset {
  std::string id;     ///< the file's name without .json
  Index order = 0;    ///< among the cards of the page
  std::string title;  ///< the question
  const Method* experiment = nullptr;
  std::string brief;                          ///< one sentence on what is measured, for a card
  std::string note;                           ///< what was claimed, what is measured here, and how they differ in size
  std::string source;                         ///< authors, year, section
  ParameterValues values;                     ///< of every parameter of the experiment
  std::optional<ParameterValues> quick = {};  ///< of every parameter; nothing: the measurement is short

  /// What a question begins with: its quick form, if it has one.
  const ParameterValues& first_values() const { return quick ? *quick : values; }
};

/// The preset and its values, or its quick ones.
struct PresetChoice {
  const ExperimentPreset* preset = nullptr;
  bool quick = false;

  const ParameterValues& values() const { return quick ? *preset->quick : preset->values; }
};

/// Names the key that is missing, unknown or wrong.
Result<ExperimentPreset> read_experiment_preset(std::string_view id, std::string_view json);

/// All of them, in the order of their cards.
std::span<const ExperimentPreset> experiment_presets();

/// The error names the nearest known id.
Result<const ExperimentPreset*> require_experiment_preset(std::string_view id);

/// Of "ID" or "ID:quick".
Result<PresetChoice> require_preset_choice(std::string_view name);

/// The preset whose values or quick values these are; nothing: there is none.
std::optional<PresetChoice> preset_of(const Method& experiment, const ParameterValues& values);

}  // namespace vqscope
