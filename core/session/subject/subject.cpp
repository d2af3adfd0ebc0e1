// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/subject.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {

const SubjectParameter* find_subject_parameter(std::string_view name) {
  const auto all = subject_parameters();
  const auto it = std::ranges::find_if(all, [&](const SubjectParameter& each) { return each.spec.name == name; });
  return it == all.end() ? nullptr : &*it;
}

Result<void> check_subject(const Subject& subject) {
  for (const auto& [name, value] : subject.values.map()) {
    const SubjectParameter* known = find_subject_parameter(name);
    if (!known) return invalid("{} is not shared by all pages", shortened(name));
    if (auto checked = check_value(known->spec, value); !checked) return checked;
  }
  if (subject.config.size() > most_config_bytes)
    return invalid("the config has {} bytes but must be at most {}", subject.config.size(), most_config_bytes);
  return check_token_texts(subject.tokens);
}

}  // namespace vqscope
