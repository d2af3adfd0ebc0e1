// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_sink.h"
#include "core/method/run_result.h"

namespace vqscope {

/// Writes one output of a run in its format.
Result<void> write_run_content(const RunContent& content, ByteSink& sink, const std::stop_token& stop);

}  // namespace vqscope
