// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <string>
#include <string_view>

namespace vqscope {

enum class SnippetLibrary { numpy, torch };

/// "numpy" or "torch"; the error names both.
Result<SnippetLibrary> snippet_library(std::string_view name);

/// Whether there is code to copy for a method: encodings, scalings of RoPE by rope_type, and what is made of them.
bool has_snippet(const Method& method);

/// Python that computes what the method shows with these values, as `result`: a program that runs as it stands. What is
/// learned is sampled, or written out where the method has its numbers. Refuses values that the method refuses.
Result<std::string> encoding_snippet(const Method& method, const ParameterValues& values, SnippetLibrary library);

}  // namespace vqscope
