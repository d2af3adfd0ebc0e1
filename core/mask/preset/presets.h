// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/sequence/sequence_layout.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A file of resources/masks as it was when the program was built: a mask in the mask language
/// whose first line is "# id: what it is for". Its integers at the top are the preset's parameters,
/// and the comment behind one is its help.
struct PresetFile {
  std::string_view name;  ///< without .py
  std::string_view text;

  std::string_view id() const;
  std::string_view help() const;
  /// The name of its mask: of the last def or value at the top.
  std::string_view mask() const;
  /// "# objective: bidirectional": the objective of the mask, if its cells do not show it; it hides
  /// keys on purpose.
  std::string_view objective() const;
  /// "# terms: key_valid, causal", or none: the mask is made of these alone.
  std::optional<std::vector<std::string>> terms() const;
};

/// By name.
std::span<const PresetFile> preset_files();

/// A mask with an established name.
struct MaskPreset {
  std::string id;
  std::string help;
  std::string text = {};       ///< its file in resources/masks; of the given masks none
  std::string mask = {};       ///< the name that this text gives its mask
  std::string objective = {};  ///< of a text that states it and hides keys on purpose
  /// For a text that lists its terms: all terms of the mask, of key_valid, same_document, causal,
  /// prefix, sliding_window; padding, documents and a window can add theirs. Nothing: the mask may
  /// be anything.
  std::optional<std::vector<std::string>> terms = {};

  bool is_made_of_terms() const { return terms.has_value(); }
  bool has(std::string_view term) const;
  bool is_causal() const { return has("causal") || has("prefix"); }
  /// Encoder-decoder: the queries are a sequence of their own.
  bool is_cross() const { return id == "cross"; }
  /// Its cells are not known in advance.
  bool is_given() const { return !is_made_of_terms(); }
};

/// The integers of a text made of terms that are parameters of the method: prefix_length and
/// sliding_window.
inline constexpr std::string_view prefix_name = "prefix_length";
inline constexpr std::string_view window_name = "window";

/// For padding and prefix_length: the preset's own.
inline constexpr Index automatic_length = -1;

std::span<const MaskPreset> mask_presets();

/// The preset whose terms are the text `mask_text`, in the mask language.
inline constexpr std::string_view text_mask_id = "custom";

/// The preset whose cells are the list `mask_rows`: a mask that was read from a file, kept with the
/// session.
inline constexpr std::string_view imported_mask_id = "dump";

/// Masks that no preset makes: a text, and imported cells. Their sequence has neither padding nor
/// documents until they are given.
std::span<const MaskPreset> given_masks();

/// The sequence that `visibility`'s values describe, with every automatic value in place.
/// Whether padding is left to a mask that then has some: an eighth of the keys.
bool pads_by_itself(const ParameterValues& values);

SequenceInput preset_sequence(const ParameterValues& values);

/// The values over another sequence: of these lengths, without padding and documents of its own, no
/// term switched off.
ParameterValues with_sequence(const ParameterValues& values, const Extent& extent, Index past_len);
/// With the last query at the last key.
ParameterValues with_sequence(const ParameterValues& values, const Extent& extent);

/// The window that the values request, 0 if there is none.
Index preset_window(const ParameterValues& values);

/// The preset that the values name.
const MaskPreset& chosen_preset(const ParameterValues& values);
/// The terms requested by the values of `visibility`, in order of evaluation, with their operands.
struct PresetTerms {
  std::vector<std::string> names;
  Index prefix_length = 0;
  Index window = 0;  ///< 0: there is none
};
PresetTerms preset_terms(const ParameterValues& values);

/// The mask of these terms over a sequence.
std::shared_ptr<const Mask> make_terms_mask(const PresetTerms& terms, const SequenceLayout& layout);

/// Or the error of a stop.
Result<std::shared_ptr<const Mask>> make_preset_mask(const ParameterValues& values, const std::stop_token& stop = {});

/// The file of a preset, and behind it, so that lines keep their numbers, a mask that joins it with
/// those of `terms` that come from the sequence and the page: key_valid, same_document and
/// sliding_window. The file alone where there are none.
///
/// It compares indices, as FlexAttention does: within a document they order tokens as positions do,
/// and padding queries have no position but their token.
std::string preset_text(const MaskPreset& preset, const PresetTerms& terms);

/// The mask of make_preset_mask for the same values, as a text over the same sequence.
std::string preset_text(const ParameterValues& values);

}  // namespace vqscope
