// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/capture/store/tensor_role.h"

#include <optional>
#include <string_view>

namespace vqscope {

/// The place of a file of a capture: "step0003_layer012", "layer12"; a single file has neither.
struct LayerFile {
  Index step = 0;
  Index layer = 0;
};

/// Of layers and steps; beyond it a number is more than is read.
inline constexpr Index most_layer_number = 999'999'999;

/// From a file's name without its suffix, with any number; nothing where it is no such name.
std::optional<LayerFile> layer_file_of(std::string_view stem);

/// A tensor of a dump of another program.
struct ForeignTensor {
  Index layer = 0;
  TensorRole role = TensorRole::q;
};

/// "m.output", "m.output.1" and "m.output[1]" of a module m as "m" and "m[1]"; other names as they are.
std::string module_of_output(std::string_view name);

/// From names of Hugging Face's model debugger, vLLM, SGLang and llama.cpp
/// ("LlamaForCausalLM.model.layers.3.self_attn.q_proj_outputs", "Vcur-3"). Nothing: unknown.
std::optional<ForeignTensor> foreign_tensor_of(std::string_view name);

}  // namespace vqscope
