// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/run_recipe.h"

namespace vqscope {
namespace {

bool fits(std::string_view suffix, std::string_view path) {
  if (!path.ends_with(suffix)) return false;
  const std::string_view before = path.substr(0, path.size() - suffix.size());
  return before.ends_with('.') ||
         ((before.empty() || before.ends_with('/')) && suffix.find('.') != std::string_view::npos);
}

}  // namespace

const RunOutput* find_output(std::span<const RunOutput> outputs, std::string_view path) {
  const RunOutput* found = nullptr;
  for (const RunOutput& output : outputs)
    if (fits(output.suffix, path) && (!found || output.suffix.size() > found->suffix.size())) found = &output;
  return found;
}

}  // namespace vqscope
