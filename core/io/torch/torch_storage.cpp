// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/torch_storage.h"

#include "core/base/sentence.h"
#include "core/io/bytes/byte_reader.h"
#include "core/io/bytes/part_source.h"
#include "core/io/pickle/pickle_machine.h"
#include "core/io/pickle/pickle_reader.h"
#include "core/io/torch/torch_dtype.h"
#include "core/io/zip/zip.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::string_view pickle_name = "data.pkl";
constexpr std::uint64_t longest_pickle = std::uint64_t{1} << 30;
/// torch compresses nothing; a small file must not be a long work.
constexpr std::uint64_t longest_compressed = std::uint64_t{1} << 24;

/// torch does not always write checksums, and verifies none: data that is stored is read in place.
Result<TorchStorage> storage_of(const std::shared_ptr<const ByteSource>& file, const ZipMember& member) {
  if (member.method == 0 && !member.encrypted) return TorchStorage{file, member.offset, member.size};
  auto bytes = open_zip_member(file, member);
  if (!bytes) return bytes.error();
  return TorchStorage{std::move(*bytes), 0, member.size};
}

std::shared_ptr<const ByteSource> source_of_storage(const TorchStorage& storage) {
  return std::make_shared<PartSource>(storage.bytes, storage.offset, storage.size);
}

/// A small member as a text: "little".
std::string text_of(const TorchStorage& storage) {
  std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(storage.size, 16)), '\0');
  return storage.bytes->read(storage.offset, text) ? text : std::string();
}

/// The dtype that the values give each storage.
std::map<std::string, int> element_sizes(const Pickle& pickle) {
  std::map<std::string, int> sizes;
  for (const PickleValue& value : pickle.values) {
    if (value.kind != PickleKind::outside) continue;
    constexpr std::size_t longest_key = 100;
    const auto about = pickle.items(pickle.all_items[value.first]);
    if (about.size() < 5 || pickle.text(about[2]).size() > longest_key) continue;
    const auto dtype = torch_dtype(pickle.text(about[1]));
    sizes[std::string(pickle.text(about[2]))] = dtype ? element_bytes(*dtype) : 0;
  }
  return sizes;
}

/// The storages behind the pickles: for each key, the number of elements in eight bytes, then they.
Result<void> find_storages(const std::shared_ptr<const ByteSource>& file, const Pickle& keys, TorchContents& contents) {
  const auto sizes = element_sizes(contents.pickle);
  ByteReader reader(*file);
  reader.skip(keys.end);
  for (const PickleRef item : keys.items(keys.root)) {
    const std::string key(keys.text(item));
    const std::uint64_t count = reader.number(8);
    if (reader.failed()) return reader.error();
    const auto size = sizes.find(key);
    std::uint64_t bytes = 0;
    if (size == sizes.end() || size->second == 0 ||
        __builtin_mul_overflow(count, static_cast<std::uint64_t>(size->second), &bytes) || bytes > reader.left())
      return invalid("the torch file is damaged or cut short: storage {} should have {} elements, {} bytes are left",
                     shortened(key, 20), count, reader.left());
    contents.storages[key] = {file, reader.place(), bytes};
    reader.skip(bytes);
  }
  return {};
}

}  // namespace

Result<TorchContents> read_torch_archive(const std::shared_ptr<const ByteSource>& file) {
  const auto members = read_zip_directory(*file);
  if (!members) return members.error();
  const auto main = std::ranges::find_if(*members, [](const ZipMember& member) {
    const std::string_view name = member.name;
    return name == pickle_name || name.ends_with(std::string("/") + std::string(pickle_name));
  });
  if (main == members->end()) return invalid("the torch file has no data.pkl");
  const std::string folder = main->name.substr(0, main->name.size() - pickle_name.size());
  TorchContents contents;
  if (main->size > longest_pickle)
    return too_large("data.pkl has {} bytes but must be at most {}", main->size, longest_pickle);
  if (main->method != 0 && main->size > longest_compressed)
    return too_large("data.pkl is compressed and has {} bytes but must be at most {}, or not compressed", main->size,
                     longest_compressed);
  const auto place = storage_of(file, *main);
  if (!place) return place.error();
  contents.pickle_bytes = source_of_storage(*place);
  auto pickle = read_pickle(*contents.pickle_bytes);
  if (!pickle) return pickle.error();
  contents.pickle = std::move(*pickle);
  const std::string data = folder + "data/";
  for (const ZipMember& member : *members) {
    const bool is_order = member.name == folder + "byteorder";
    if (!is_order && !member.name.starts_with(data)) continue;
    const auto storage = storage_of(file, member);
    if (!storage) return storage.error();
    if (is_order)
      contents.big_endian = text_of(*storage) == "big";
    else
      contents.storages[member.name.substr(data.size())] = *storage;
  }
  return contents;
}

Result<TorchContents> read_pickle_file(const std::shared_ptr<const ByteSource>& file) {
  TorchContents contents{.pickle_bytes = file, .pickle = {}, .storages = {}};
  auto first = read_pickle(*file);
  if (!first) return first.error();
  if (first->text(first->root) != old_torch_magic) {
    contents.pickle = std::move(*first);
    return contents;
  }
  std::uint64_t begin = first->end;
  Pickle keys;
  for (int part = 1; part < 5; ++part) {  // version, system, values, keys
    auto pickle = read_pickle(*file, begin);
    if (!pickle) return pickle.error();
    begin = pickle->end;
    if (part == 3) contents.pickle = std::move(*pickle);
    if (part == 4) keys = std::move(*pickle);
  }
  if (auto found = find_storages(file, keys, contents); !found) return found.error();
  return contents;
}

}  // namespace vqscope
