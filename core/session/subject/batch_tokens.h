// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/session/subject/token_texts.h"

#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// The tokenizer.json beside a file, else beside the model's config; empty if there is none.
std::string tokenizer_of(const std::string& file, const std::string& model_file);

/// Texts of one sample in a file, FILE or FILE:NAME, that has a tensor input_ids beside the mask.
/// Empty if it has none, or if there is no tokenizer.
TokenTexts batch_token_texts(const std::string& mask, Index sample, const std::string& model_file);

/// The ids in a text of whole numbers alone, between spaces or commas, in brackets or not; empty:
/// it is none.
std::vector<Index> parse_token_ids(std::string_view text);

}  // namespace vqscope
