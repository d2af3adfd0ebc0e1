// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/pickle/pickle_value.h"

namespace vqscope {

/// The pickle that begins at `begin`, of any protocol up to 5. It is read as data: names outside
/// the allowed ones are refused, and nothing is executed. Values, nesting and bytes are bounded, so
/// that memory grows with the size of the file only.
Result<Pickle> read_pickle(const ByteSource& source, std::uint64_t begin = 0);

}  // namespace vqscope
