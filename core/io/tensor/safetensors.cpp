// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors.h"

#include "core/base/sentence.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/json/json_reader.h"

#include <algorithm>
#include <array>
#include <set>

namespace vqscope {
namespace {

constexpr std::uint64_t length_bytes = 8;
constexpr std::size_t most_dimensions = 32;

/// A tensor with the begin and end of its bytes, counted from the end of the header.
struct PlacedEntry {
  SafetensorsEntry entry;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

std::optional<NpyDtype> dtype_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, NpyDtype>, 13> all{{{"F16", {NpyKind::real, 2}},
                                                                              {"BF16", {NpyKind::brain, 2}},
                                                                              {"F32", {NpyKind::real, 4}},
                                                                              {"F64", {NpyKind::real, 8}},
                                                                              {"BOOL", {NpyKind::boolean, 1}},
                                                                              {"I8", {NpyKind::signed_integer, 1}},
                                                                              {"I16", {NpyKind::signed_integer, 2}},
                                                                              {"I32", {NpyKind::signed_integer, 4}},
                                                                              {"I64", {NpyKind::signed_integer, 8}},
                                                                              {"U8", {NpyKind::unsigned_integer, 1}},
                                                                              {"U16", {NpyKind::unsigned_integer, 2}},
                                                                              {"U32", {NpyKind::unsigned_integer, 4}},
                                                                              {"U64", {NpyKind::unsigned_integer, 8}}}};
  for (const auto& [known, dtype] : all)
    if (known == name) return dtype;
  return std::nullopt;
}

Error bad_tensor(std::string_view name, const std::string& what) {
  return invalid("tensor {} {}", shortened(name), what);
}

/// The whole numbers from 0 in a list; nothing if it is anything else.
std::optional<std::vector<Index>> sizes_of(const ConfigValue* value) {
  if (!value || !value->list()) return std::nullopt;
  std::vector<Index> sizes;
  for (const auto& item : *value->list()) {
    const auto size = item.integer();
    if (!size || *size < 0) return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

Result<PlacedEntry> read_entry(const ConfigValue& member) {
  const auto& name = member.key;
  const auto* dtype = member.find("dtype");
  if (!dtype || !dtype->text()) return bad_tensor(name, "has no dtype, such as \"F32\"");
  const auto shape = sizes_of(member.find("shape"));
  if (!shape || shape->size() > most_dimensions)
    return bad_tensor(name, fmt::format("has no shape, a list of at most {} sizes from 0", most_dimensions));
  const auto offsets = sizes_of(member.find("data_offsets"));
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
    return bad_tensor(name, "has no data_offsets, a list of where it begins and ends");
  return PlacedEntry{{name, *dtype->text(), dtype_of(*dtype->text()), *shape},
                     static_cast<std::uint64_t>((*offsets)[0]),
                     static_cast<std::uint64_t>((*offsets)[1])};
}

/// The entry has as many bytes as its dtype and shape need.
Result<void> check_bytes(const PlacedEntry& placed) {
  const auto& entry = placed.entry;
  const bool is_byte = entry.dtype.starts_with("F8_");
  if (!entry.known && !is_byte) return {};
  const auto bytes = tensor_bytes(entry.known.value_or(NpyDtype{NpyKind::unsigned_integer, 1}), entry.shape);
  if (bytes && *bytes == placed.end - placed.begin) return {};
  const NpyHeader header{.shape = entry.shape};
  return bad_tensor(entry.name,
                    fmt::format("of shape {} and dtype {} needs {} bytes, its data_offsets give it {}",
                                shortened(header.shape_text()), shortened(entry.dtype),
                                bytes ? std::to_string(*bytes) : "more than 2^64", placed.end - placed.begin));
}

/// The tensors follow one another and cover all of the data.
Result<void> check_places(const std::vector<PlacedEntry>& entries, std::uint64_t data_bytes) {
  std::uint64_t next = 0;
  for (const auto& [entry, begin, end] : entries) {
    if (begin != next)
      return bad_tensor(
          entry.name,
          fmt::format("begins at byte {} of the data, expected is {}, where the one before it ends", begin, next));
    if (end > data_bytes)
      return bad_tensor(entry.name, fmt::format("ends at byte {} of the data, the file has {}", end, data_bytes));
    next = end;
  }
  if (next == data_bytes) return {};
  return invalid("the file has {} bytes of data, its tensors have {}", data_bytes, next);
}

Result<std::string> header_text(const ByteSource& source) {
  std::array<char, length_bytes> start{};
  if (source.size() < length_bytes)
    return invalid("not a safetensors file: it has {} bytes, its header's length alone needs 8", source.size());
  if (auto read = source.read(0, start); !read) return read.error();
  const std::uint64_t length = little_endian({start.data(), start.size()});
  if (length > source.size() - length_bytes)
    return invalid("not a safetensors file, or cut short: its header should have {} bytes, the file has {}", length,
                   source.size() - length_bytes);
  if (length > most_json_bytes)
    return invalid("the safetensors header has {} bytes but must be at most {}", length, most_json_bytes);
  std::string text(static_cast<std::size_t>(length), '\0');
  if (auto read = source.read(length_bytes, text); !read) return read.error();
  return text;
}

}  // namespace

Result<std::vector<SafetensorsEntry>> read_safetensors_header(const ByteSource& source) {
  const auto text = header_text(source);
  if (!text) return text.error();
  const auto header = read_json(*text);
  if (!header) return invalid("the safetensors header is not valid JSON: " + header.error().message);
  const auto* object = header->object();
  if (!object) return invalid("the safetensors header is {}, an object is expected", header->shown());
  std::vector<PlacedEntry> placed;
  std::set<std::string_view> names;
  for (const auto& member : object->members) {
    if (!names.insert(member.key).second) return bad_tensor(member.key, "appears twice in the header");
    if (member.key == "__metadata__") continue;
    auto entry = read_entry(member);
    if (!entry) return entry.error();
    if (auto checked = check_bytes(*entry); !checked) return checked.error();
    placed.push_back(std::move(*entry));
  }
  std::ranges::stable_sort(placed, {}, [](const PlacedEntry& p) { return std::pair(p.begin, p.end); });
  const std::uint64_t data = length_bytes + text->size();
  if (auto checked = check_places(placed, source.size() - data); !checked) return checked.error();
  std::vector<SafetensorsEntry> entries;
  for (auto& [entry, begin, end] : placed) {
    entry.offset = data + begin;
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::map<std::string, std::string> safetensors_metadata(const ByteSource& source) {
  std::map<std::string, std::string> texts;
  const auto text = header_text(source);
  const auto header = text ? read_json(*text) : Result<ConfigValue>(text.error());
  const ConfigValue* metadata = header ? header->find("__metadata__") : nullptr;
  if (!metadata || !metadata->object()) return texts;
  for (const ConfigValue& member : metadata->object()->members)
    if (member.text()) texts.emplace(member.key, *member.text());
  return texts;
}

}  // namespace vqscope
