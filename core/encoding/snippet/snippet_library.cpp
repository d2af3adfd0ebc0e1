// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/snippet/snippet_library.h"

#include "core/base/sentence.h"

namespace vqscope {

Result<SnippetLibrary> snippet_library(std::string_view name) {
  if (name == "numpy") return SnippetLibrary::numpy;
  if (name == "torch") return SnippetLibrary::torch;
  return invalid("library is \"{}\", must be numpy or torch", shortened(name));
}

}  // namespace vqscope
