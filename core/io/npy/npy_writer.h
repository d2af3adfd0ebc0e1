// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/work.h"
#include "core/io/bytes/byte_sink.h"

#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// Magic, version and dictionary, padded so that the data begins at a multiple of 64.
std::string npy_header(std::string_view dtype, std::span<const Index> shape);

/// float32 numbers in C order, '<f4'.
Result<void> write_npy(std::span<const Index> shape, std::span<const float> values, ByteSink& sink, const Work& work);

}  // namespace vqscope
