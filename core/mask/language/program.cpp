// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/program.h"

#include "core/mask/language/compiler.h"
#include "core/mask/language/parser.h"

#include <algorithm>

namespace vqscope {

MaskParse MaskProgram::parse(std::string_view text) {
  auto parsed = language::parse(text);
  if (parsed.error) return {nullptr, *parsed.error};
  auto compiled = language::compile(text, parsed.syntax);
  if (compiled.error) return {nullptr, *compiled.error};
  auto program = std::make_shared<MaskProgram>();
  program->m_text = text;
  program->m_code = std::move(compiled.code);
  program->m_warnings = std::move(parsed.warnings);
  program->m_warnings.insert(program->m_warnings.end(), compiled.warnings.begin(), compiled.warnings.end());
  std::ranges::stable_sort(program->m_warnings, {}, [](const SourceError& w) { return std::pair(w.line, w.column); });
  return {program, {}};
}

std::shared_ptr<const MaskProgram> MaskProgram::without_branches(const std::vector<bool>& on) const {
  auto program = std::make_shared<MaskProgram>(*this);
  program->m_code = language::without_branches(m_code, on);
  return program;
}

}  // namespace vqscope
