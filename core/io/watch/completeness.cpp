// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/watch/completeness.h"

#include "core/io/kind/file_kind.h"
#include "core/io/npy/npy_header.h"
#include "core/io/tensor/safetensors.h"
#include "core/io/tensor/tensor_list.h"
#include "core/io/zip/zip.h"

#include <array>

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
    case FileKind::pickle: return by(list_tensors(file, path, TensorUse::cells).has_value());
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
