// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/config/report/config_report.h"
#include "core/io/bytes/byte_source.h"

namespace vqscope {

/// How llama.cpp reads a GGUF file, from its head and the small tensors with factors of RoPE.
/// Damage of the head is an error of one sentence; any other mistake is a finding.
Result<ConfigReport> examine_gguf(const ByteSource& source);

}  // namespace vqscope
