// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the tokens of a command: --tokens, or a tokenizer.json and --array input_ids.
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/session/subject/token_texts.h"

#include <string>

namespace vqscope {

/// Whether a setting has the ids of the tokens. A method without a parameter of that name takes
/// them for the texts alone.
bool isTokenIds(const Setting& setting);

/// The tokenizer.json beside the file of input_ids or of the batch, else beside that of the mask;
/// empty if there is none or no ids are given.
std::string tokenizerOf(const MethodArguments& arguments);

/// Texts of --tokens, else of the ids by `arguments.tokenizer`, else `otherwise`.
Result<TokenTexts> tokenTexts(const MethodArguments& arguments, const TokenTexts& otherwise);

}  // namespace vqscope
