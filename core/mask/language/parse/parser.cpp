// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/parser.h"

#include "core/mask/language/parse/statement_parser.h"

namespace vqscope::language {

Parsed parse(std::string_view text) { return StatementParser(text).run(); }

}  // namespace vqscope::language
