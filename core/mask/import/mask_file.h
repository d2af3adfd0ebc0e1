// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/imported_rows.h"

#include <optional>
#include <string>
#include <string_view>

namespace vqscope {

/// Values of a file's tensors, as far as libraries treat them differently.
enum class TensorValues {
  boolean,
  integers,   ///< 0 and 1
  zero_one,   ///< floats 0 and 1
  additive,   ///< floats that are added to the scores
  no_tensor,  ///< a text or an image
};

/// Description of an imported mask in its file. Sessions keep it as one line of text.
struct MaskFile {
  TensorValues values = TensorValues::boolean;
  ImportedPolarity polarity = ImportedPolarity::visible_true;  ///< of all but `additive`
  PolaritySource decided = PolaritySource::unknown;
  std::string evidence;  ///< of a guess
  std::string source;    ///< "mask.npz:mask [3, 1, 8, 8] (one for all heads)"; may be empty
  Index masks = 1;       ///< in the file: samples times heads

  bool has_polarity() const { return values != TensorValues::additive; }
  friend bool operator==(const MaskFile&, const MaskFile&) = default;
};

MaskFile mask_file(const ImportedReading& reading, std::string source);

/// "boolean", "integers", "zero_one", "additive", "no_tensor".
std::string tensor_values_name(TensorValues values);

/// "boolean masked_true guessed; every key after its query is true; mask.npy [8, 8]", and back;
/// "guessed of 3" if the file has 3 masks. Nothing for other texts.
std::string mask_file_text(const MaskFile& file);
std::optional<MaskFile> parse_mask_file(std::string_view text);

/// "mask.npy [8, 8] is boolean; True is masked (guessed: every key after its query is true)".
std::string mask_file_sentence(const MaskFile& file);

/// The same without the source: "guessed: every key after its query is true".
std::string polarity_reason(const MaskFile& file);

}  // namespace vqscope
