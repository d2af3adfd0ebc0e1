// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/batch_file.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/json_value.h"
#include "core/io/kind/file_kind.h"
#include "core/io/tensor/tensor_list.h"
#include "core/mask/batch/sample_array.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t largestJson = std::size_t{1} << 26;

struct KnownName {
  const char* name;
  bool ofMask;  ///< it changes the mask, not only what is expected of it
};

constexpr std::array knownNames{
    KnownName{"mask", true},          KnownName{"attention_mask", true}, KnownName{"document_ids", true},
    KnownName{"prefix_length", true}, KnownName{"input_ids", false},     KnownName{"position_ids", false},
    KnownName{"labels", false},       KnownName{"cu_seqlens", false},    KnownName{"span_ids", false}};

std::string allNames() {
  std::vector<std::string> names;
  for (const KnownName& known : knownNames) names.emplace_back(known.name);
  return join(names, ", ");
}

/// A member of the file under a known name, as --array takes it.
struct Member {
  std::string name;
  std::string value;
};

struct Members {
  std::vector<Member> known;
  std::vector<std::string> others;
};

/// Which known name a member has: its own, or that behind its last dot.
std::string knownNameOf(const std::string& member) {
  const std::string last = member.substr(member.rfind('.') + 1);
  const bool known = std::ranges::any_of(knownNames, [&](const KnownName& each) { return last == each.name; });
  return known ? last : std::string();
}

Result<void> add(Members& members, const std::string& member, std::string value) {
  const std::string name = knownNameOf(member);
  if (name.empty()) {
    members.others.push_back(member.empty() ? "an array without a name" : shortened(member, 40));
    return {};
  }
  if (std::ranges::count(members.known, name, &Member::name) > 0)
    return invalid("the name {} stands in it twice", name);
  members.known.push_back({name, std::move(value)});
  return {};
}

Result<Members> tensorsOf(const std::shared_ptr<const ByteSource>& file, const std::string& path) {
  const auto tensors = list_tensors(file, path, TensorUse::cells);
  if (!tensors) return tensors.error();
  Members members;
  for (const ListedTensor& tensor : *tensors)
    if (auto added = add(members, tensor.name, path + ":" + tensor.name); !added) return in_file(path, added.error());
  return members;
}

/// A value of a JSON object as a text that read_sample_array() takes.
JsonValue jsonOf(const ConfigValue& value) {
  if (const auto* numbers = value.integers()) return JsonValue(*numbers);
  JsonArray rows;
  if (const auto* list = value.list())
    for (const ConfigValue& row : *list) rows.push_back(jsonOf(row));
  if (const auto number = value.integer()) return JsonValue(*number);
  if (const auto* flag = value.boolean()) return JsonValue(Index{*flag ? 1 : 0});
  return JsonValue(std::move(rows));
}

Result<Members> listsOf(const ByteSource& file, const std::string& path) {
  if (file.size() > largestJson)
    return too_large("{} has {}, more than the limit of {}; save it as .npz", shown_input(path),
                     byte_count(static_cast<double>(file.size())), byte_count(static_cast<double>(largestJson)));
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  if (auto read = file.read(0, text); !read) return within(shown_input(path), read.error());
  const auto json = read_json(text, {.most_bytes = largestJson, .packs_numbers = true});
  if (!json) return within(shown_input(path), json.error());
  if (!json->object()) return invalid("{} is not a JSON object, must be one of {}", shown_input(path), allNames());
  Members members;
  for (const ConfigValue& member : json->object()->members) {
    if (member.key == "mask")
      return invalid("{}: a mask in JSON is not read, save it as .npz or .safetensors", shown_input(path));
    if (auto added = add(members, member.key, compact_json(jsonOf(member))); !added)
      return within(shown_input(path), added.error());
  }
  return members;
}

Result<Members> membersOf(const std::string& path) {
  const auto file = open_file(path);
  if (!file) return file.error();
  const auto known = file_kind(**file, path);
  if (!known) return in_file(path, known.error());
  return known->kind == FileKind::json ? listsOf(**file, path) : tensorsOf(*file, path);
}

}  // namespace

Result<MethodArguments> withBatchFile(const MethodArguments& arguments, std::vector<std::string>& notes) {
  if (!arguments.batchFile) return arguments;
  const std::string& path = *arguments.batchFile;
  auto members = membersOf(path);
  if (!members) return members.error();
  if (members->known.empty())
    return invalid("{} has none of {}; it has {}", shown_input(path), allNames(),
                   members->others.empty() ? "no names" : shortened(join(members->others, ", "), 120));
  MethodArguments all = arguments;
  all.batchFile.reset();
  std::vector<std::string> taken;
  std::vector<std::string> left = std::move(members->others);
  std::vector<Setting> settings;
  for (Member& member : members->known) {
    const bool ofMask =
        std::ranges::any_of(knownNames, [&](const KnownName& each) { return each.ofMask && member.name == each.name; });
    const bool given = std::ranges::count(arguments.settings, member.name, &Setting::name) > 0 ||
                       (member.name == "mask" && arguments.mask);
    if (given || (!ofMask && !arguments.states)) {
      left.push_back(member.name);
      continue;
    }
    taken.push_back(member.name);
    if (member.name == "mask")
      all.mask = std::move(member.value);
    else
      settings.push_back({.name = member.name, .value = std::move(member.value), .array = true});
  }
  all.settings.insert(all.settings.begin(), settings.begin(), settings.end());
  std::string sentence = fmt::format("{}: took {}", shown_input(path), taken.empty() ? "nothing" : join(taken, ", "));
  if (!left.empty()) sentence += ", left out " + shortened(join(left, ", "), 120);
  notes.push_back(std::move(sentence));
  return all;
}

}  // namespace vqscope
