// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/readers/config_reading.h"

#include <string>
#include <string_view>

namespace vqscope {

// Each reader in a file of its own, with the source of what it does.

ConfigReading read_as_hugging_face_4(const ReadConfig& config);
ConfigReading read_as_hugging_face_5(const ReadConfig& config);
/// Before its pull request 48486, for MiniMax-M2 alone.
ConfigReading read_as_older_hugging_face_5(const ReadConfig& config);
ConfigReading read_as_vllm(const ReadConfig& config);
/// Before its pull request 56446, for yarn alone.
ConfigReading read_as_older_vllm(const ReadConfig& config);
ConfigReading read_as_sglang(const ReadConfig& config);
ConfigReading read_as_llama_cpp(const ReadConfig& config);
/// Section 3.2 of the paper: the ramp follows the turns of a pair; for yarn alone.
ConfigReading read_as_yarn_paper(const ReadConfig& config);

enum class ModelReader { hugging_face_4, vllm, sglang, llama_cpp };

/// The behaviour of a reader for a model_type without code, as one sentence without a full stop.
/// Empty: it has code, or that is not known.
std::string missing_model(ModelReader reader, std::string_view model_type);

/// The values that each library uses, compared with the meaning of the config. Empty for a model
/// without RoPE or one whose RoPE the config does not determine.
ReaderMatrix read_reader_matrix(const ConfigValue& root, const ConfigReport& report);

/// The same table for given readings, of which `meant` is what each is compared with.
ReaderMatrix reader_matrix(const ConfigReading& meant, const std::vector<ConfigReading>& readings);

}  // namespace vqscope
