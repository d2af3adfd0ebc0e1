// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/plain_mask.h"

#include "core/base/sentence.h"
#include "core/mask/language/kept_program.h"
#include "core/mask/language/language_mask.h"
#include "core/sequence/sequence_layout.h"

namespace vqscope {
namespace {

Error refused(const std::string& sentence) { return invalid("mask{}", sentence); }

}  // namespace

Result<std::shared_ptr<const MaskProgram>> plain_program(const std::string& text) {
  const MaskParse parse = kept_program(text);
  if (!parse)
    return refused(fmt::format(", line {}, column {}: {}", parse.error.line, parse.error.column, parse.error.message));
  for (const auto variable : {language::Variable::b, language::Variable::h})
    if (depends_on(parse.program->code(), variable))
      return refused(fmt::format(" depends on the {} but must be one mask for all",
                                 variable == language::Variable::b ? "batch b" : "head h"));
  for (const auto& use : parse.program->integers())
    if (!use.default_value)
      return refused(fmt::format(" leaves {} free: write its value into the text", shortened(use.name)));
  return parse.program;
}

Result<std::shared_ptr<const Mask>> plain_mask(const std::string& text, Index length) {
  const auto program = plain_program(text);
  if (!program) return program.error();
  MaskBindings bindings;
  for (const auto& use : (*program)->integers()) bindings.integers[use.name] = *use.default_value;
  const auto layout = SequenceLayout::make({.q_length = length});
  if (!layout) return layout.error();
  auto mask = make_language_mask(*program, std::move(bindings), *layout);
  if (!mask) return refused(": " + mask.error().message);
  if (!(*mask)->has_bands() && length > most_unsolved_tokens)
    return refused(
        fmt::format(" cannot be solved into intervals; without them a mask must have at most {} tokens, not {}",
                    most_unsolved_tokens, length));
  return mask;
}

}  // namespace vqscope
