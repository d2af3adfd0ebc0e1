// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/mask_rows.h"
#include "core/mask/recognise/mask_shape.h"
#include "core/sequence/sequence_layout.h"

namespace vqscope {

/// A preset with parameters that make the mask, cell for cell.
struct RecognisedPreset {
  std::string id;
  std::vector<std::pair<std::string, Index>> parameters;
  SequenceInput sequence;

  /// "sinks_window, num_sinks 4, window 128, documents [128, 384], padding 3 on the left".
  std::string text() const;
};

/// The presets that make exactly these rows, of those that an exact description may be.
std::vector<RecognisedPreset> presets_of(const MaskPattern& pattern, const MaskShape& shape, const MaskRows& rows,
                                         CountBudget& budget);

}  // namespace vqscope
