// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <string>
#include <vector>

namespace vqscope {

/// Ascending numbers of layers in few words: "0-4, 6-10, …, 54-58, 60-61". A regular sequence is shortened to its first
/// two members and its last one, what breaks it is listed. Beyond `most` such parts those before the last are left out.
std::string layer_numbers_text(const std::vector<Index>& numbers, std::size_t most = 8);

/// "layer 5", "layers 5, 11, …, 59 (10 layers)": the number of layers where some are not listed.
std::string named_layers(const std::vector<Index>& numbers);

}  // namespace vqscope
