// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/method.h"
#include "core/mask/mask.h"
#include "core/sequence/sequence_layout.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// A mask that people have a name for.
struct MaskPreset {
  std::string id;
  std::string help;
  std::vector<std::string> terms;  ///< those that make it; padding, documents and a window can add theirs
};

std::span<const MaskPreset> mask_presets();

/// The sequence that `visibility`'s values describe, with every automatic value in place.
SequenceInput preset_sequence(const ParameterValues& values);

Result<std::shared_ptr<const Mask>> make_preset_mask(const ParameterValues& values);

/// `visibility`: [q_length, kv_length] bool, true where the query sees the key.
Method visibility_method();

}  // namespace vqscope
