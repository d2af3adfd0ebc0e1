// SPDX-License-Identifier: GPL-3.0-or-later
// Behaviour of llama.cpp's code for an architecture that no key of a GGUF file describes.
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// Which dimensions llama.cpp rotates together (llama_model_rope_type).
enum class GgufPairs {
  none,
  norm,   ///< (2i, 2i + 1)
  neox,   ///< (i, i + half of the rotated dimensions)
  mrope,  ///< neox, a run of pairs for each axis
  imrope  ///< neox, the axes alternate
};

/// How the code interprets attention.sliding_window.
enum class GgufWindows {
  ignored,   ///< not read: every layer is full
  disabled,  ///< read, and switched off with a warning
  pattern,   ///< the layers of a pattern have it
  given      ///< the same, but only if the file gives a pattern
};

/// Layers that attend without RoPE in an architecture that has it.
enum class GgufNope {
  never,
  full,         ///< those without a window, if some have one
  full_sparse,  ///< those without a window that have experts: not the first, which are dense
  last,         ///< the last of four
  first,        ///< the first of four, if some layers have a window
  by_finetuned  ///< all, if rope.scaling.finetuned is given as false
};

struct GgufArchitecture {
  std::string_view name;
  GgufPairs pairs = GgufPairs::none;
  PositionScheme kind = PositionScheme::rope;
  GgufWindows windows = GgufWindows::ignored;
  Index period = 1;         ///< of the pattern: one layer of it is full; 0: none is
  bool first_full = false;  ///< the full layer is the first of a period, else the last
  Index window = 0;         ///< where the file gives no attention.sliding_window; 0: then no layer has one
  bool own_window = false;  ///< that window whatever number above 0 the file gives
  Index layers = 0;         ///< above 0: only models of that many layers have windows
  Index chunk = 0;          ///< above 0: the pattern's layers see chunks of that many keys instead of a window
  bool two_sided = false;   ///< every layer sees keys on both sides, half of a window on either
  double local_theta = 0;   ///< default of layers with a window; 0: as full layers
  bool unscaled_windows = false;
  GgufNope nope = GgufNope::never;
  bool permuted = false;  ///< norm, because the converter reorders weights that are half-split
  bool latent = false;    ///< multi-head latent attention

  bool known() const { return !name.empty(); }
};

/// The row of general.architecture; one without a name if it is unknown. DFlash drafts like
/// DeepSeek V4 have a row of their own, "dflash deepseek4".
const GgufArchitecture& find_gguf_architecture(std::string_view name);

}  // namespace vqscope
