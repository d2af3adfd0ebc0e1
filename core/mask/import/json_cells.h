// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/bytes/byte_source.h"

#include <memory>
#include <string_view>

namespace vqscope {

/// The nested lists of a JSON text, [q, kv] with samples and heads before them, as an .npy file in
/// memory: of truth values, integers or reals. `name`: a member of the JSON object; empty: mask or
/// attn_mask, or the text is a list. Null if there is no such member. Errors do not name the file.
Result<std::shared_ptr<const ByteSource>> npy_of_json(const ByteSource& file, std::string_view name);

}  // namespace vqscope
