// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <optional>
#include <string>

namespace vqscope {

/// What the file system says of a file without reading it. A file that is replaced or written has
/// another stamp.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  Index modified = 0;  ///< nanoseconds
  Index changed = 0;   ///< the same of st_ctime, which no program can set back
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Of the file that a link leads to; nothing: there is no regular file.
std::optional<FileStamp> stamp_of(const std::string& path);

/// How long a file must stay as it is, in milliseconds.
struct WatchTimes {
  Index settled = 300;    ///< a text, whose end is known by nothing else, or a place without a file
  Index given_up = 5000;  ///< a file that is not whole by its own headers: it is taken as damaged
};

/// A file that may be written at any moment, also by an editor that renames or deletes it. The
/// caller looks at it again and again, and says when.
class WatchedFile {
 public:
  /// damaged: it is not whole by its own headers, and nobody writes it any more. gone: it was there.
  enum class News { none, whole, damaged, gone };

  explicit WatchedFile(std::string path) : m_path(std::move(path)) {}

  const std::string& path() const { return m_path; }
  /// The content of this moment is known already.
  void accept();
  /// Whether the file has another content than the last one that was reported or accepted, which is
  /// written to its end. Each content is reported once, and not before the second look at it.
  News look(Index now, const WatchTimes& times = {});
  /// Nothing is awaited: the content is known, or that there is no file.
  bool is_settled() const { return m_seen == m_known; }
  /// What was seen at the last look; nothing: there is no file.
  const std::optional<FileStamp>& stamp() const { return m_seen; }

 private:
  std::string m_path;
  std::optional<FileStamp> m_known;  ///< of the content that was reported; nothing: that there is none
  std::optional<FileStamp> m_seen;
  Index m_since = 0;  ///< when m_seen was seen first
};

}  // namespace vqscope
