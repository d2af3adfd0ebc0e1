// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/readers/config_reading.h"

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

}  // namespace vqscope
