// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/kind/file_kind.h"

#include "core/base/sentence.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/kind/text_kind.h"
#include "core/io/zip/zip.h"

#include <algorithm>
#include <array>
#include <optional>

namespace vqscope {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t head_bytes = std::uint64_t{1} << 16;
constexpr std::uint64_t last_bytes = 16;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::size_t longest_named_path = 100;  // characters

struct Magic {
  std::string_view bytes;
  FileKind kind = FileKind::unread;
  std::string_view what;
  std::size_t offset = 0;
};

constexpr std::string_view lfs_pointer = "a Git LFS pointer";

/// In the order in which they are looked for.
constexpr std::array magics{
    Magic{"\x93NUMPY"sv, FileKind::npy, "a NumPy array"},
    Magic{"\x89PNG\r\n\x1a\n"sv, FileKind::png, "a PNG image"},
    Magic{"GGUF"sv, FileKind::gguf, "a GGUF file"},
    Magic{"version https://git-lfs"sv, FileKind::unread, lfs_pointer},
    Magic{"ustar"sv, FileKind::unread, "a tar archive (as torch wrote before version 0.1.10)", 257},
    Magic{"\xff\xd8\xff"sv, FileKind::unread, "a JPEG image"},
    Magic{"GIF8"sv, FileKind::unread, "a GIF image"},
    Magic{"WEBP"sv, FileKind::unread, "a WebP image", 8},
    Magic{"II*\0"sv, FileKind::unread, "a TIFF image"},
    Magic{"MM\0*"sv, FileKind::unread, "a TIFF image"},
    Magic{"%PDF-"sv, FileKind::unread, "a PDF document"},
    Magic{"\x1f\x8b"sv, FileKind::unread, "a gzip file"},
    Magic{"BZh"sv, FileKind::unread, "a bzip2 file"},
    Magic{"\xfd"
          "7zXZ\0"sv,
          FileKind::unread, "an xz file"},
    Magic{"\x28\xb5\x2f\xfd"sv, FileKind::unread, "a zstd file"},
    Magic{"7z\xbc\xaf\x27\x1c"sv, FileKind::unread, "a 7z archive"},
    Magic{"Rar!\x1a\x07"sv, FileKind::unread, "a RAR archive"},
    Magic{"\x89HDF\r\n\x1a\n"sv, FileKind::unread, "an HDF5 file"},
    Magic{"PAR1"sv, FileKind::unread, "a Parquet file"},
    Magic{"ARROW1"sv, FileKind::unread, "an Arrow file"},
    Magic{"SQLite format 3\0"sv, FileKind::unread, "an SQLite database"},
    Magic{"MATLAB 5.0 MAT-file"sv, FileKind::unread, "a MATLAB file"},
    Magic{"\x7f"
          "ELF"sv,
          FileKind::unread, "a program (ELF)"},
    Magic{"\xff\xfe"sv, FileKind::unread, "a text in UTF-16, not UTF-8"},
    Magic{"\xfe\xff"sv, FileKind::unread, "a text in UTF-16, not UTF-8"}};

bool is_printable(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](char c) { return c >= ' ' && c <= '~'; });
}

/// A length in eight bytes, then a JSON object. A file that is cut short has the length of the whole.
bool begins_as_safetensors(std::string_view head, std::uint64_t size) {
  constexpr std::size_t prefix_bytes = 8;
  if (head.size() < prefix_bytes + 2 || is_printable(head.substr(0, prefix_bytes))) return false;
  const auto json = head.substr(prefix_bytes, 2);
  if (json[0] == '{' && "\"} \t\r\n"sv.find(json[1]) != std::string_view::npos) return true;
  const bool fits = little_endian(head.substr(0, prefix_bytes)) <= size - prefix_bytes;
  return fits && "{[ \t\r\n"sv.find(json[0]) != std::string_view::npos && head[prefix_bytes - 1] == '\0';
}

/// Nothing else has a length of that form there, which may begin like a pickle (640) or a text in UTF-16 (65,279).
bool is_safetensors(std::string_view head, std::uint64_t size) {
  return head.size() > 9 && head.substr(4, 4) == "\0\0\0\0"sv && head[8] == '{' &&
         "\"} \t\r\n"sv.find(head[9]) != std::string_view::npos && little_endian(head.substr(0, 8)) <= size - 8;
}

/// "collections" and "OrderedDict" on lines of their own, after the opcode.
bool begins_as_names(std::string_view text) {
  const auto is_name = [](std::string_view line) {
    return !line.empty() && std::ranges::all_of(line, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    });
  };
  const auto lines = split(text.substr(0, 400), '\n');
  return lines.size() > 2 && is_name(lines[0]) && is_name(lines[1]);
}

/// Protocols 0 and 1 begin with the opcode of a list, a dictionary, a tuple or a name.
bool begins_as_old_pickle(std::string_view text) {
  if (text.size() < 3) return false;
  const std::string_view next = text.substr(1);
  const auto line = next.substr(1, std::min(next.find('\n'), std::size_t{40}) - 1);
  if (text[0] == 'c') return begins_as_names(next);
  if (text[0] == ']' || text[0] == '}') return "qrp(."sv.find(next[0]) != std::string_view::npos;
  if (text[0] != '(') return false;
  switch (next[0]) {
    case 'd':
    case 'l':
    case 't': return "pqr."sv.find(next[1]) != std::string_view::npos;
    case 'c':
    case 'i': return begins_as_names(next.substr(1));
    case 'S':
    case 'U':
    case 'X': return !line.empty() && (line[0] == '\'' || line[0] == '"' || next[0] != 'S');
    case 'I':
    case 'F': return parse_real(line).has_value();
    case 'L': return line.ends_with('L');
    default: return begins_as_old_pickle(next);
  }
}

/// Protocols from 2 on begin with their number; earlier ones end with a full stop.
bool begins_as_pickle(std::string_view head, std::string_view tail) {
  if (head.size() >= 2 && head[0] == '\x80') return head[1] > 0 && head[1] < 16;
  return trimmed(tail).ends_with('.') && begins_as_old_pickle(head);
}

KnownFile zip_kind(const ByteSource& file) {
  const auto members = read_zip_directory(file);
  KnownFile npz{FileKind::npz, "a NumPy archive"};
  if (!members) return npz;  // reading it reports why
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(*members, [&](const ZipMember& member) { return file_name(member.name) == name; });
  };
  if (has("constants.pkl")) return {FileKind::unread, "a TorchScript program (save its state_dict() instead)"};
  if (has("data.pkl")) return {FileKind::torch, "a torch file"};
  const bool has_arrays =
      std::ranges::any_of(*members, [](const auto& member) { return member.name.ends_with(".npy"); });
  if (has_arrays || members->empty()) return npz;
  return {FileKind::unread, "a zip archive without arrays"};
}

std::optional<KnownFile> binary_kind(const ByteSource& file, std::string_view head, std::string_view tail) {
  if (is_safetensors(head, file.size())) return KnownFile{FileKind::safetensors, "a safetensors file"};
  if (head.starts_with("PK\3\4") || head.starts_with("PK\5\6")) return zip_kind(file);
  for (const Magic& magic : magics)
    if (head.substr(std::min(magic.offset, head.size())).starts_with(magic.bytes))
      return KnownFile{magic.kind, std::string(magic.what)};
  if (begins_as_pickle(head, tail)) return KnownFile{FileKind::pickle, "a pickle"};
  if (begins_as_safetensors(head, file.size())) return KnownFile{FileKind::safetensors, "a safetensors file"};
  return std::nullopt;
}

/// A file of another kind than a text by its name that ends within the bytes which say its kind.
bool is_cut_short(std::string_view bytes, std::string_view suffix) {
  constexpr std::array names{"npy"sv, "npz"sv, "safetensors"sv, "pt"sv, "pth"sv, "pkl"sv, "gguf"sv, "png"sv};
  const auto continues = [&](std::string_view magic) {
    return bytes.size() < magic.size() && magic.starts_with(bytes);
  };
  return std::ranges::count(names, suffix) > 0 &&
         (continues("PK\3\4") ||
          std::ranges::any_of(magics, [&](const Magic& each) { return each.offset == 0 && continues(each.bytes); }));
}

/// A binary file that begins like no known kind is read by its suffix, to say what is wrong there.
KnownFile kind_of_suffix(std::string_view suffix) {
  if (suffix == "npy") return {FileKind::npy, "a NumPy array"};
  if (suffix == "npz") return {FileKind::npz, "a NumPy archive"};
  if (suffix == "safetensors") return {FileKind::safetensors, "a safetensors file"};
  if (suffix == "png") return {FileKind::png, "a PNG image"};
  return {FileKind::unread, "a binary file of no known kind"};
}

}  // namespace

Result<KnownFile> file_kind(const ByteSource& file, std::string_view path) {
  const std::uint64_t size = file.size();
  if (size == 0) return KnownFile{FileKind::unread, "empty"};
  std::string head(static_cast<std::size_t>(std::min(size, head_bytes)), '\0');
  if (auto read = file.read(0, head); !read) return read.error();
  std::string tail(static_cast<std::size_t>(std::min(size, last_bytes)), '\0');
  if (auto read = file.read(size - tail.size(), tail); !read) return read.error();
  const bool has_mark = head.starts_with(byte_order_mark);  // an editor put it before a text
  if (const auto known = binary_kind(file, std::string_view(head).substr(has_mark ? byte_order_mark.size() : 0), tail))
    return *known;
  const std::string suffix = file_suffix(path);
  if (is_cut_short(head, suffix))
    return KnownFile{FileKind::unread, fmt::format("cut short after {} byte{}", size, size == 1 ? "" : "s")};
  if (!is_text(head, size > head.size(), suffix)) return kind_of_suffix(suffix);
  return text_kind(head, suffix);
}

Error unexpected_kind(const KnownFile& file, std::string_view expected) {
  if (file.what == lfs_pointer) return invalid("is a Git LFS pointer; run git lfs pull to fetch the file itself");
  return invalid("is {} but must be {}", file.what, expected);
}

Error in_file(std::string_view path, const Error& error) {
  if (error.code == Errc::cancelled) return error;
  const std::string file = shortened(shown_input(path), longest_named_path);
  return error.message.starts_with("is ") ? Error{error.code, file + " " + error.message, {}} : within(file, error);
}

}  // namespace vqscope
