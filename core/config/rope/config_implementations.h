// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

/// Fills in the pairs and the attention factor of a RoPE with known scaling, for the longest sequence.
void report_pairs(RopeUse& use);

/// Fills in how each implementation computes a RoPE whose pairs are known. `rope`: the object with the scaling, or
/// null; `latent`: multi-head latent attention.
void report_implementations(RopeUse& use, const ConfigObject* rope, bool latent, std::string_view model_type);

/// The same YaRN as llama.cpp computes its frequencies: the code of most models reads neither beta, the ramp ends at
/// whole pairs, and one that would run backwards (beta_fast < beta_slow) is a step at beta_fast, because its width is
/// taken as at least 0.001.
RopeScaling yarn_of_llama_cpp(RopeScaling scaling, std::string_view model_type);

}  // namespace vqscope
