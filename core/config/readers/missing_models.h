// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

enum class ModelReader { hugging_face_4, vllm, sglang, llama_cpp };

/// The behaviour of a reader for a model_type without code, as one sentence without a full stop.
/// Empty: it has code, or that is not known.
std::string missing_model(ModelReader reader, std::string_view model_type);

}  // namespace vqscope
