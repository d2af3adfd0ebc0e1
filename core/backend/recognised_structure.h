// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/mask_structure.h"
#include "core/mask/recognise/recognise.h"

namespace vqscope {

/// A mask in terms that kernels have names for, and its sequence.
struct StatedStructure {
  MaskStructure structure;
  SequenceLayout layout;
};

/// The recognised structure of a mask, with its own documents, padding and cache. Nothing unless it
/// was recognised exactly.
std::optional<StatedStructure> recognised_structure(const Recognition& found, const Mask& mask,
                                                    const std::stop_token& stop = {});

}  // namespace vqscope
