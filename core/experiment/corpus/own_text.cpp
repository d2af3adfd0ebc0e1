// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/corpus/own_text.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace vqscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 20000;
constexpr std::size_t looked_at = 8192;  // for a zero byte

struct Found {
  std::vector<fs::path> files;
  std::size_t hidden = 0;
};

Error unreadable(const std::string& path, const std::error_code& error) {
  return {Errc::io, fmt::format("cannot read {}: {}", shown_path(path), error.message())};
}

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

/// Ordinary files below the folder, by path.
Result<Found> files_below(const std::string& folder) {
  Found found;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator each(folder, options, error), end; !error && each != end;
       each.increment(error)) {
    const bool is_link = each->is_symlink(error), is_folder = !is_link && each->is_directory(error);
    if (is_hidden(each->path())) {
      ++found.hidden;
      if (is_folder) each.disable_recursion_pending();
    } else if (!is_link && !is_folder && each->is_regular_file(error)) {
      found.files.push_back(each->path());
    }
    if (found.files.size() > most_files) return too_large("{} has more than {} files", shown_path(folder), most_files);
  }
  if (error) return unreadable(folder, error);
  std::ranges::sort(found.files);
  return found;
}

Result<OwnText> read_folder(const std::string& folder) {
  const auto found = files_below(folder);
  if (!found) return found.error();
  OwnText text;
  std::size_t texts = 0, binary = 0;
  for (const fs::path& path : found->files) {
    auto bytes = read_text(path.native(), static_cast<std::size_t>(most_text_bytes) - text.bytes.size());
    if (!bytes && bytes.error().code == Errc::too_large)
      return too_large("the texts of {} must have at most {}", shown_path(folder),
                       byte_count(static_cast<double>(most_text_bytes)));
    if (!bytes)
      return Error{Errc::io, fmt::format("cannot read {}: {}", shown_path(path.native()), bytes.error().message)};
    const bool is_binary = std::string_view(*bytes).substr(0, looked_at).find('\0') != std::string_view::npos;
    ++(is_binary ? binary : texts);
    if (!is_binary) text.bytes += *bytes;
  }
  if (texts == 0) return invalid("{} has no text to train on", shown_path(folder));
  text.remark = fmt::format("{}: {} text{}", shown_path(folder), texts, texts == 1 ? "" : "s");
  if (found->hidden + binary > 0) text.remark += fmt::format("; skipped: {} hidden, {} binary", found->hidden, binary);
  return text;
}

}  // namespace

Result<OwnText> read_own_text(const std::string& path) {
  std::error_code error;
  if (path != "-" && fs::is_directory(path, error)) return read_folder(path);
  const auto file = open_file(path);
  if (!file) return file.error();
  const std::uint64_t size = (*file)->size();
  if (size > most_text_bytes)
    return too_large("{}: the text has {} but must have at most {}", path, byte_count(static_cast<double>(size)),
                     byte_count(static_cast<double>(most_text_bytes)));
  OwnText text{.bytes = std::string(static_cast<std::size_t>(size), '\0'), .remark = {}};
  if (auto read = (*file)->read(0, text.bytes); !read) return within(path, read.error());
  return text;
}

}  // namespace vqscope
