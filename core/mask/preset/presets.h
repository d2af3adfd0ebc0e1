// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/sequence/sequence_layout.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A mask that people have a name for.
struct MaskPreset {
  std::string id;
  std::string help;
  std::vector<std::string> terms;  ///< those that make it; padding, documents and a window can add theirs
  std::string text = {};           ///< of a preset that is a mask text, a file of resources/masks
  std::string mask = {};           ///< the name that this text gives its mask
  std::string objective = {};      ///< of a text that says it, and that keys are hidden on purpose

  bool has(std::string_view term) const;
  bool is_causal() const { return has("causal") || has("prefix"); }
  /// Encoder-decoder: the queries are a sequence of their own.
  bool is_cross() const { return id == "cross"; }
  /// One of given_masks(), or a text: what it masks is nothing that a preset knows.
  bool is_given() const;
};

/// Of padding and prefix_length: the preset's own.
inline constexpr Index automatic_length = -1;

std::span<const MaskPreset> mask_presets();

/// Masks that no preset makes: a text, and imported cells. Their sequence has neither padding nor documents until they
/// are given.
std::span<const MaskPreset> given_masks();

/// The sequence that `visibility`'s values describe, with every automatic value in place.
SequenceInput preset_sequence(const ParameterValues& values);

/// The values over another sequence: of these lengths, without padding and documents of its own, no term switched off.
ParameterValues with_sequence(const ParameterValues& values, const Extent& extent, Index past_len);
/// With the last query at the last key.
ParameterValues with_sequence(const ParameterValues& values, const Extent& extent);

/// The window that the values ask for, 0 where there is none.
Index preset_window(const ParameterValues& values);

/// The preset that the values name.
const MaskPreset& chosen_preset(const ParameterValues& values);
/// The terms that `visibility`'s values ask for, in the order in which they are asked, and what they compare with.
struct PresetTerms {
  std::vector<std::string> names;
  Index prefix_length = 0;
  Index window = 0;  ///< 0: there is none
};
PresetTerms preset_terms(const ParameterValues& values);

/// Or the error of a stop.
Result<std::shared_ptr<const Mask>> make_preset_mask(const ParameterValues& values, const std::stop_token& stop = {});

}  // namespace vqscope
