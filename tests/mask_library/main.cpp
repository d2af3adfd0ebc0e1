// SPDX-License-Identifier: GPL-3.0-or-later
// Lints a text of the mask language with the part "masks" alone: mask_library "kv_idx < q_idx"
// reports that row 0 sees no key.
#include "core/lint/lint.h"
#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/method/method_list.h"

#include <iostream>

int main(int argc, char** argv) {
  using namespace vqscope;
  if (argc != 2) {
    std::cerr << "usage: mask_library MASK_MOD\n";
    return 2;
  }
  const Method& visibility = *find_method(mask_methods(), "visibility");
  ParameterValues values = default_values(visibility.parameters);
  values.set("mask", std::string(text_mask_id));
  values.set("mask_text", std::string(argv[1]));
  const auto given = lint_case(completed_values(parameters_of(visibility, values), values));
  if (!given) {
    std::cerr << given.error().message << '\n';
    return 2;
  }
  const LintReport report = lint_mask(*given);
  for (const Finding& finding : report.findings) std::cout << finding.rule << ": " << finding.sentence << '\n';
  return report.findings.empty() ? 0 : 1;
}
