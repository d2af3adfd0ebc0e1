// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/compile.h"

#include "core/mask/language/compile/module_compiler.h"

namespace vqscope::language {

Compiled compile(std::string_view text, const Syntax& syntax, const Given& given, Index library) {
  return ModuleCompiler(text, syntax, given, library).run();
}

}  // namespace vqscope::language
