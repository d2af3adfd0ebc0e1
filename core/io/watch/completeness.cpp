// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/watch/completeness.h"

#include "core/io/kind/file_kind.h"
#include "core/io/npy/npy_header.h"
#include "core/io/tensor/safetensors.h"
#include "core/io/torch/torch_file.h"
#include "core/io/zip/zip.h"

#include <array>
#include <span>
#include <string_view>

namespace vqscope {
namespace {

Completeness by(bool whole) { return whole ? Completeness::whole : Completeness::partial; }

/// Whether the last chunk, which has no data, ends the file.
bool ends_as_png(const ByteSource& file) {
  constexpr std::string_view last{"\0\0\0\0IEND\xae\x42\x60\x82", 12};
  std::array<char, last.size()> end{};
  return file.size() >= end.size() && file.read(file.size() - end.size(), end) &&
         std::string_view(end.data(), end.size()) == last;
}

/// A pickle ends with a full stop. Only that of old torch files, which have data after it, is read
/// for the size of the data. What is refused for other reasons is whole.
bool is_whole_pickle(const std::shared_ptr<const ByteSource>& file) {
  constexpr std::string_view old_torch("\x80\x02\x8a\x0a", 4);
  std::array<char, old_torch.size()> begin{};
  char last = 0;
  if (file->size() < begin.size() || !file->read(0, begin) || !file->read(file->size() - 1, std::span(&last, 1)))
    return false;
  if (std::string_view(begin.data(), begin.size()) != old_torch && last != '.') return false;
  const auto opened = TorchFile::open(file, FileKind::pickle);
  if (opened) return true;
  const std::string& why = opened.error().message;
  return why.find("cut short") == std::string::npos && why.find("behind the file") == std::string::npos;
}

}  // namespace

Completeness completeness_of(const std::shared_ptr<const ByteSource>& file, const std::string& path) {
  const ByteSource& bytes = *file;
  if (bytes.size() == 0) return Completeness::partial;
  std::array<char, 4> first{};
  const bool archive = bytes.size() >= first.size() && bytes.read(0, first) &&
                       std::string_view(first.data(), first.size()) == std::string_view("PK\x03\x04", 4);
  if (archive) return by(read_zip_directory(bytes).has_value());  // its kind is known by its members
  const auto known = file_kind(bytes, path);
  if (!known) return Completeness::partial;
  switch (known->kind) {
    case FileKind::npy: return by(read_npy_header(bytes).has_value());
    case FileKind::safetensors: return by(read_safetensors_header(bytes).has_value());
    case FileKind::png: return by(ends_as_png(bytes));
    case FileKind::torch:
    case FileKind::pickle: return by(is_whole_pickle(file));
    case FileKind::npz:
    case FileKind::gguf:
    case FileKind::json:
    case FileKind::csv:
    case FileKind::text:
    case FileKind::unread: break;
  }
  return Completeness::unknown;
}

}  // namespace vqscope
