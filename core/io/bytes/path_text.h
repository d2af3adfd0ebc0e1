// SPDX-License-Identifier: GPL-3.0-or-later
// Paths are bytes in any encoding; '/' separates folders.
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// The part after the last '/'.
std::string_view file_name(std::string_view path);

/// Suffix of the file name after the last '.', with lower-case ASCII letters; may be empty: "npy".
std::string file_suffix(std::string_view path);

/// A path as a sentence quotes it: shortened, but longer than other input.
std::string shown_path(std::string_view path);

}  // namespace vqscope
