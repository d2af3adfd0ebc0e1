// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/value.h"

namespace vqscope::language {

const Value* Scope::find(const std::string& name) const {
  for (const Scope* s = this; s; s = s->parent)
    if (const auto found = s->names.find(name); found != s->names.end()) return &found->second;
  return nullptr;
}

}  // namespace vqscope::language
