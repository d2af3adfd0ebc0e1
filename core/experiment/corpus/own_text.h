// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace vqscope {

/// Largest text to train on, in bytes.
inline constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 28;

/// The bytes of a file, or of all texts of a folder in the order of their paths.
struct OwnText {
  std::string bytes;
  std::string remark;  ///< of a folder: "notes: 12 texts; skipped: 3 hidden, 1 binary"
};

/// Refuses a text of more than most_text_bytes, and a folder without one. In a folder, hidden files
/// and folders, symbolic links, and files with a zero byte among the first are skipped. Errors name
/// the path.
Result<OwnText> read_own_text(const std::string& path);

}  // namespace vqscope
