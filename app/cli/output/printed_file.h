// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace vqscope {

/// A file in a folder of its own, whose bytes go to standard output once it is whole: `--out -`. A
/// command that is refused prints nothing. The folder vanishes with the object.
class PrintedFile {
 public:
  explicit PrintedFile(const std::string& format);
  PrintedFile(const PrintedFile&) = delete;
  PrintedFile& operator=(const PrintedFile&) = delete;
  ~PrintedFile();

  /// Refuses where no temporary folder can be made.
  Result<std::string> path();
  /// Removes the file before its first byte: where the reader ends early, this program may end at once.
  Result<void> print();
  /// The error with "standard output" for the file's path.
  Error named(Error error) const;

 private:
  void remove();

  std::string m_format;
  std::string m_folder;
};

/// Formats after --format: those of files.
const std::string& printed_formats();

}  // namespace vqscope
