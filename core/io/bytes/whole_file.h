// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_sink.h"
#include "core/io/bytes/file_handle.h"

#include <memory>
#include <vector>

namespace vqscope {

/// Whose file it is.
enum class FileUse {
  output,  ///< named by the user: a symbolic link is followed, and the replaced file keeps its mode
  record,  ///< named by the program in a shared folder: a symbolic link is replaced, not followed
  state,   ///< of the program: only its owner may read and write it
};

class WholeFile;
using WholeFiles = std::vector<std::unique_ptr<WholeFile>>;

/// A file that appears under its name on commit, whole or not at all. Until then it has no name or,
/// where the file system cannot do that, a hidden name beside its own that the next write of the
/// same file reuses, so killed processes leave at most one leftover. A device or a pipe cannot be
/// replaced by a file and is written directly.
class WholeFile : public ByteSink {
 public:
  /// `path` is bytes in any encoding. Errors name the path and the reason.
  static Result<std::unique_ptr<WholeFile>> open(const std::string& path, FileUse use = FileUse::output);
  ~WholeFile() override;

  Result<void> write(std::string_view bytes) override;
  /// Steps that can fail for lack of space fail here, before the first of several files is
  /// committed.
  Result<void> flush();

 private:
  /// Place of the bytes. From `created` on they are under the final name; with `exchanged` and
  /// `kept` the former file is beside it.
  enum class Place { direct, unnamed, beside, created, exchanged, kept };

  WholeFile(std::string path, FileUse use) : m_path(std::move(path)), m_use(use) {}
  unsigned new_mode() const;
  Result<void> open_in_folder();
  Result<void> open_beside();
  Result<void> give_name();
  Result<void> publish();
  Result<void> replace_by_name();
  void take_back();
  void finish();
  void set_name(std::string name);
  bool is_same(const WholeFile& other) const;
  Error failure(int error) const;

  std::string m_path;
  FileUse m_use;
  std::string m_name;        ///< within the folder
  std::string m_unfinished;  ///< temporary name beside it, like the next one
  std::string m_former;
  FileHandle m_folder;
  FileHandle m_file;
  Place m_place = Place::direct;

  friend class Publication;
  friend Result<void> commit(const WholeFiles& files);
};

/// All files appear or none: if one fails, those before it are restored to what they were.
Result<void> commit(const WholeFiles& files);

/// Writes `words` to standard error and ends the process. Does nothing while files are being
/// committed or after a commit. Uncommitted files vanish with the process where the file system
/// supports unnamed files.
void end_uncommitted(std::string_view words, int status);

/// Writes one file with these bytes; it is on disk when this returns.
Result<void> write_whole_file(const std::string& path, std::string_view bytes, FileUse use = FileUse::output);

}  // namespace vqscope
