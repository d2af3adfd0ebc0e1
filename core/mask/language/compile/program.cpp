// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/program.h"

#include "core/mask/language/code/library.h"
#include "core/mask/language/parse/parse.h"

#include <algorithm>

namespace vqscope {

MaskParse MaskProgram::parse(std::string_view text, const language::Given& given) {
  auto parsed = language::parse(text);
  if (parsed.error) return {nullptr, *parsed.error};
  std::string whole(text);
  if (const std::string library = language::library_for(parsed.syntax); !library.empty()) {
    // After the text, so that lines and columns are those of the text.
    whole += "\n" + library;
    auto warnings = std::move(parsed.warnings);
    parsed = language::parse(whole);
    if (parsed.error) return {nullptr, *parsed.error};
    parsed.warnings = std::move(warnings);
  }
  auto compiled = language::compile(whole, parsed.syntax, given, static_cast<Index>(text.size()));
  if (compiled.error) return {nullptr, *compiled.error, std::move(compiled.code)};
  auto program = std::make_shared<MaskProgram>();
  program->m_text = std::move(whole);
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
