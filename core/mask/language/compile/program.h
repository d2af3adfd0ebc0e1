// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/code.h"
#include "core/mask/language/compile/module_compiler.h"
#include "core/mask/language/parse/source_error.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

struct MaskParse;

/// A text of the mask language that is valid as far as the text alone can tell. Immutable.
///
/// The language is the Python subset in which people write FlexAttention `mask_mod` bodies, on
/// 64-bit integers and truth values. Truth values follow torch where Python's differ: ~ of one is
/// `not`. A text is an expression, a body with return, a def of (b, h, q_idx, kv_idx), defs
/// followed by and_masks(...) or or_masks(...), or a function that returns a def and whose
/// parameters are then free.
class MaskProgram {
 public:
  static MaskParse parse(std::string_view text, const language::Given& given = {});

  /// The text, followed by the sources of the library masks that it uses.
  const std::string& text() const { return m_text; }

  /// Names, and bytes of the text.
  const std::vector<language::TermCode>& terms() const { return m_code.terms; }

  /// The free names of the text: integers, some with a default, and arrays. If document_id,
  /// position_ids, key_valid and offsets are not given, the sequence provides their values.
  const std::vector<language::IntegerUse>& integers() const { return m_code.integers; }
  const std::vector<language::ArrayUse>& arrays() const { return m_code.arrays; }
  const std::vector<language::WordUse>& words() const { return m_code.words; }

  /// The functions and names of the text that are masks, and the one of this program, chosen by
  /// `given.mask`.
  const std::vector<std::string>& masks() const { return m_code.masks; }
  const std::string& mask() const { return m_code.mask; }

  /// Warnings: valid but most likely not intended.
  const std::vector<SourceError>& warnings() const { return m_warnings; }

  const language::Code& code() const { return m_code; }

  /// The sides of each term's own `or`, which can be turned off one by one.
  const std::vector<language::BranchCode>& branches() const { return m_code.branches; }

  /// The same mask in which branches that are not `on` let nothing through.
  std::shared_ptr<const MaskProgram> without_branches(const std::vector<bool>& on) const;

 private:
  std::string m_text;
  language::Code m_code;
  std::vector<SourceError> m_warnings;
};

/// A program, or why there is none.
struct MaskParse {
  std::shared_ptr<const MaskProgram> program;
  SourceError error;
  /// Without a program: the code up to the error, whose names may be what is missing.
  language::Code so_far = {};
  explicit operator bool() const { return program != nullptr; }
};

}  // namespace vqscope
