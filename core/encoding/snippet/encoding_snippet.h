// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/snippet/snippet_library.h"
#include "core/method/method.h"

#include <string>

namespace vqscope {

/// Whether there is code to copy for a method: encodings, scalings of RoPE by rope_type, and what
/// is made of them.
bool has_snippet(const Method& method);

/// Python that computes what the method shows with these values, as `result`: a program that runs
/// as it stands. What is learned is sampled, or written out where the method has its numbers.
/// Refuses values that the method refuses.
Result<std::string> encoding_snippet(const Method& method, const ParameterValues& values, SnippetLibrary library);

}  // namespace vqscope
