// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_sink.h"
#include "core/io/bytes/file_handle.h"

#include <memory>
#include <vector>

namespace vqscope {

class WholeFile;
using WholeFiles = std::vector<std::unique_ptr<WholeFile>>;

/// A file that appears under its name when it is committed, whole, or not at all. Until then it has no name, or, where
/// the file system cannot do that, a hidden one beside its own that the next write of the same file takes over: a
/// process that is killed leaves nothing that grows. A device or a pipe cannot be replaced by a file: it is written
/// directly.
class WholeFile : public ByteSink {
 public:
  /// `path` is bytes, whatever their encoding. Errors name the path and the reason.
  static Result<std::unique_ptr<WholeFile>> open(const std::string& path);
  ~WholeFile() override;

  Result<void> write(std::string_view bytes) override;
  /// What could fail for want of space fails here, before any of several files is committed.
  Result<void> flush();

 private:
  /// Where the bytes are; from created on under the name. exchanged, kept: the former file is beside it.
  enum class Place { direct, unnamed, beside, created, exchanged, kept };

  explicit WholeFile(std::string path) : m_path(std::move(path)) {}
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
  std::string m_name;        ///< within the folder
  std::string m_unfinished;  ///< beside it, as is the next
  std::string m_former;
  FileHandle m_folder;
  FileHandle m_file;
  Place m_place = Place::direct;

  friend class Publication;
  friend Result<void> commit(const WholeFiles& files);
};

/// All of the files appear or none: when one of them cannot, those before it get back what they were.
Result<void> commit(const WholeFiles& files);

/// Says `words` on standard error and ends the process, unless files are being committed or were: then it does nothing.
/// What is not committed goes with the process, where the file system can have files without names.
void end_uncommitted(std::string_view words, int status);

/// One file of these bytes, on the disk when this returns.
Result<void> write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace vqscope
