// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/whole_file.h"

#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

namespace vqscope {
namespace {

constexpr mode_t new_file_mode = 0666;  // before umask
constexpr mode_t state_file_mode = 0600;
constexpr std::size_t longest_stem = 200;

std::mutex committing;   // held while files are renamed into place
bool committed = false;  // at least one commit is done; guarded by `committing`

bool is_unsupported(int error) {
  return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP || error == EISDIR || error == EBADF;
}

/// Follows symbolic links: the file they lead to is the one to replace.
std::filesystem::path resolved(const std::string& path) {
  std::error_code code;
  auto real = std::filesystem::canonical(path, code);
  return code ? std::filesystem::path(path) : real;
}

std::string open_file_path(const FileHandle& file) { return fmt::format("/proc/self/fd/{}", file.number()); }

/// An unnamed file gets its name through /proc, which a sandbox may not have.
bool can_be_named(const FileHandle& file) { return ::access(open_file_path(file).c_str(), F_OK) == 0; }

/// The errno of a write, or 0.
int write_all(const FileHandle& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// For file systems without hard links. 0, or the errno of the failure.
int copy_in(const FileHandle& folder, const std::string& from, const std::string& to) {
  const FileHandle source = open_handle_in(folder, from, O_RDONLY);
  struct stat status {};
  if (!source || ::fstat(source.number(), &status) != 0) return errno;
  const FileHandle copy = open_handle_in(folder, to, O_CREAT | O_EXCL | O_WRONLY, status.st_mode & 07777);
  if (!copy) return errno;
  std::array<char, 1 << 14> bytes;
  for (;;) {
    const auto got = ::read(source.number(), bytes.data(), bytes.size());
    if (got == 0) return 0;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (const int error = write_all(copy, {bytes.data(), static_cast<std::size_t>(got)}); error != 0) return error;
  }
}

/// While it lives, no other process of this program commits to these folders, so the temporary
/// names in them belong to one process at a time.
class FolderLocks {
 public:
  FolderLocks() = default;
  FolderLocks(const FolderLocks&) = delete;
  FolderLocks& operator=(const FolderLocks&) = delete;
  ~FolderLocks() {
    for (const auto& [id, folder] : m_folders) ::flock(folder, LOCK_UN);
  }

  void add(const FileHandle& folder) {
    struct stat status {};
    if (folder && ::fstat(folder.number(), &status) == 0)
      m_folders.try_emplace({status.st_dev, status.st_ino}, folder.number());
  }
  /// Locks in the order of device and inode numbers, so that two processes never wait for each
  /// other. A file system without locks is used without them.
  void lock() const {
    for (const auto& [id, folder] : m_folders)
      while (::flock(folder, LOCK_EX) != 0 && errno == EINTR) continue;
  }
  /// 0, or the errno of the folder that could not be written to the disk.
  int flush() const {
    for (const auto& [id, folder] : m_folders)
      if (::fsync(folder) != 0 && !is_unsupported(errno)) return errno;
    return 0;
  }

 private:
  std::map<std::pair<dev_t, ino_t>, int> m_folders;
};

}  // namespace

/// Undoes the publication unless it is kept, even when no memory is left to report the failure.
class Publication {
 public:
  explicit Publication(const WholeFiles& files) : m_files(files) {}
  Publication(const Publication&) = delete;
  Publication& operator=(const Publication&) = delete;
  ~Publication() {
    while (m_count > 0) m_files[--m_count]->take_back();
  }

  Result<void> publish_all() {
    while (m_count < m_files.size())
      if (auto done = m_files[m_count++]->publish(); !done) return done;
    return {};
  }
  void keep() {
    while (m_count > 0) m_files[--m_count]->finish();
  }

 private:
  const WholeFiles& m_files;
  std::size_t m_count = 0;
};

/// Temporary names stay within the 255 bytes of a file name. They are built here because finishing
/// or undoing a commit must not allocate memory. They name this program: a file with such a name is
/// what a killed process left, and `.NAME.part` may be the user's own.
void WholeFile::set_name(std::string name) {
  const std::string stem = "." + name.substr(0, longest_stem);
  m_unfinished = stem + ".vqscope-part";
  m_former = stem + ".vqscope-old";
  m_name = std::move(name);
}

Error WholeFile::failure(int error) const {
  return {Errc::io, fmt::format("cannot write {}: {}", shown_path(m_path), io_reason(error))};
}

unsigned WholeFile::new_mode() const { return m_use == FileUse::state ? state_file_mode : new_file_mode; }

Result<std::unique_ptr<WholeFile>> WholeFile::open(const std::string& path, FileUse use) {
  std::unique_ptr<WholeFile> file(new WholeFile(path, use));
  const auto refused = [&](const std::string& reason) {
    return Error{Errc::io, fmt::format("cannot write {}: {}", shown_path(path), reason)};
  };
  std::error_code code;
  const bool follows = use != FileUse::record;
  const auto target = follows ? resolved(path) : std::filesystem::path(path);
  const auto status = follows ? std::filesystem::status(target, code) : std::filesystem::symlink_status(target, code);
  const bool replaced_link = !follows && std::filesystem::is_symlink(status);
  if (std::filesystem::is_directory(status)) return refused("it is a directory");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !replaced_link) {
    if (!follows) return refused("it is not a regular file");
    file->m_file = open_handle(path, O_WRONLY);
    if (!file->m_file) return file->failure(errno);
    return file;
  }
  const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  const auto folder_status = std::filesystem::status(folder, code);
  if (!std::filesystem::exists(folder_status)) {
    if (code && code.value() != ENOENT && code.value() != ENOTDIR) return refused(io_reason(code.value()));
    return refused("there is no directory " + shown_path(std::filesystem::absolute(folder, code).string()));
  }
  if (!std::filesystem::is_directory(folder_status))
    return refused(shown_path(std::filesystem::absolute(folder, code).string()) + " is not a directory");
  file->set_name(target.filename().string());
  file->m_folder = open_handle(folder.string(), O_RDONLY | O_DIRECTORY);
  // The folder may be writable but not readable.
  if (!file->m_folder && errno == EACCES) file->m_folder = open_handle(folder.string(), O_PATH | O_DIRECTORY);
  if (!file->m_folder) return file->failure(errno);
  if (auto opened = file->open_in_folder(); !opened) return opened.error();
  return file;
}

Result<void> WholeFile::open_in_folder() {
  struct stat status {};
  const int flags = m_use == FileUse::record ? AT_SYMLINK_NOFOLLOW : 0;
  const bool exists = ::fstatat(m_folder.number(), m_name.c_str(), &status, flags) == 0 && !S_ISLNK(status.st_mode);
  if (exists && ::faccessat(m_folder.number(), m_name.c_str(), W_OK, AT_EACCESS) != 0) return failure(errno);
  m_file = open_handle_in(m_folder, ".", O_TMPFILE | O_WRONLY, new_mode());
  if (!m_file && !is_unsupported(errno)) return failure(errno);
  if (m_file && can_be_named(m_file)) {
    m_place = Place::unnamed;
  } else if (auto opened = open_beside(); !opened) {
    return opened;
  }
  if (exists && m_use != FileUse::state) ::fchmod(m_file.number(), status.st_mode & 07777);
  return {};
}

/// Opens the temporary file beside the final one, unless a living writer holds it.
Result<void> WholeFile::open_beside() {
  FolderLocks locks;
  locks.add(m_folder);
  locks.lock();
  m_file = open_handle_in(m_folder, m_unfinished, O_CREAT | O_WRONLY | O_NOFOLLOW, new_mode());
  if (!m_file) return failure(errno);
  if (::flock(m_file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Error{Errc::io, "cannot write " + shown_path(m_path) + ": another program is writing it"};
  m_place = Place::beside;
  if (::ftruncate(m_file.number(), 0) != 0) return failure(errno);
  return {};
}

WholeFile::~WholeFile() {
  if (m_place == Place::beside) ::unlinkat(m_folder.number(), m_unfinished.c_str(), 0);
}

Result<void> WholeFile::write(std::string_view bytes) {
  const int error = write_all(m_file, bytes);
  return error == 0 ? Result<void>() : failure(error);
}

Result<void> WholeFile::flush() {
  if (m_place != Place::direct && ::fsync(m_file.number()) != 0) return failure(errno);
  return {};
}

/// Gives the unnamed file its temporary name; a leftover of a killed process is removed.
Result<void> WholeFile::give_name() {
  const std::string open_file = open_file_path(m_file);
  ::unlinkat(m_folder.number(), m_unfinished.c_str(), 0);
  if (::linkat(AT_FDCWD, open_file.c_str(), m_folder.number(), m_unfinished.c_str(), AT_SYMLINK_FOLLOW) != 0)
    return failure(errno);
  m_place = Place::beside;
  return {};
}

Result<void> WholeFile::publish() {
  if (m_place == Place::direct) return {};
  if (m_place == Place::unnamed)
    if (auto named = give_name(); !named) return named;
  const int folder = m_folder.number();
  const auto rename_as = [&](unsigned how) {
    return ::renameat2(folder, m_unfinished.c_str(), folder, m_name.c_str(), how) == 0;
  };
  if (rename_as(RENAME_NOREPLACE)) return m_place = Place::created, Result<void>();
  if (errno == EEXIST && rename_as(RENAME_EXCHANGE)) return m_place = Place::exchanged, Result<void>();
  return is_unsupported(errno) || errno == EEXIST ? replace_by_name() : failure(errno);
}

/// For file systems that cannot exchange names: the former file gets a second name (a copy where
/// hard links do not work), then the new file takes over the first name.
Result<void> WholeFile::replace_by_name() {
  const int folder = m_folder.number();
  ::unlinkat(folder, m_former.c_str(), 0);
  bool kept = ::linkat(folder, m_name.c_str(), folder, m_former.c_str(), 0) == 0;
  if (!kept && errno != ENOENT) {
    const int error = copy_in(m_folder, m_name, m_former);
    kept = error == 0;
    if (!kept && error != ENOENT) {
      ::unlinkat(folder, m_former.c_str(), 0);
      return failure(error);
    }
  }
  if (::renameat(folder, m_unfinished.c_str(), folder, m_name.c_str()) != 0) {
    const int error = errno;
    ::unlinkat(folder, m_former.c_str(), 0);
    return failure(error);
  }
  m_place = kept ? Place::kept : Place::created;
  return {};
}

void WholeFile::take_back() {
  const int folder = m_folder.number();
  if (m_place == Place::created) ::unlinkat(folder, m_name.c_str(), 0);
  if (m_place == Place::kept) ::renameat(folder, m_former.c_str(), folder, m_name.c_str());
  if (m_place != Place::exchanged) return;
  if (::renameat2(folder, m_unfinished.c_str(), folder, m_name.c_str(), RENAME_EXCHANGE) == 0)
    ::unlinkat(folder, m_unfinished.c_str(), 0);
}

void WholeFile::finish() {
  const int folder = m_folder.number();
  if (m_place == Place::exchanged) ::unlinkat(folder, m_unfinished.c_str(), 0);
  if (m_place == Place::kept) ::unlinkat(folder, m_former.c_str(), 0);
}

/// Whether both replace the same file, also through symbolic links or another path to the folder:
/// the former file can be kept only once.
bool WholeFile::is_same(const WholeFile& other) const {
  struct stat own {
  }, others{};
  return m_folder && other.m_folder && m_name == other.m_name && ::fstat(m_folder.number(), &own) == 0 &&
         ::fstat(other.m_folder.number(), &others) == 0 && own.st_dev == others.st_dev && own.st_ino == others.st_ino;
}

void end_uncommitted(std::string_view words, int status) {
  const std::unique_lock lock(committing, std::try_to_lock);
  if (!lock || committed) return;
  (void)!::write(STDERR_FILENO, words.data(), words.size());
  std::_Exit(status);
}

Result<void> commit(const WholeFiles& files) {
  const std::lock_guard lock(committing);
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (files[i]->is_same(*files[j]))
        return Error{Errc::io, fmt::format("cannot write {} and {}: they are the same file",
                                           shown_path(files[j]->m_path), shown_path(files[i]->m_path))};
  FolderLocks locks;
  for (const auto& file : files) locks.add(file->m_folder);
  locks.lock();
  Publication publication(files);
  if (auto done = publication.publish_all(); !done) return done;
  if (const int error = locks.flush(); error != 0) return files.back()->failure(error);
  publication.keep();
  committed = true;
  return {};
}

Result<void> write_whole_file(const std::string& path, std::string_view bytes, FileUse use) {
  auto file = WholeFile::open(path, use);
  if (!file) return file.error();
  if (auto written = (*file)->write(bytes); !written) return written;
  if (auto flushed = (*file)->flush(); !flushed) return flushed;
  WholeFiles files;
  files.push_back(std::move(*file));
  return commit(files);
}

}  // namespace vqscope
