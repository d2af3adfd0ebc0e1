// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/batch_members.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/json_value.h"
#include "core/io/kind/file_kind.h"
#include "core/io/tensor/tensor_list.h"
#include "core/io/tensor/tensor_name.h"
#include "core/mask/batch/sample_array.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t largest_json = std::size_t{1} << 26;
constexpr std::size_t most_beside_one_name = 8;

struct KnownName {
  const char* name;
  bool of_mask;
};

constexpr std::array batch_names{
    KnownName{"mask", true},          KnownName{"attention_mask", true}, KnownName{"document_ids", true},
    KnownName{"prefix_length", true}, KnownName{"input_ids", false},     KnownName{"position_ids", false},
    KnownName{"labels", false},       KnownName{"cu_seqlens", false},    KnownName{"span_ids", false}};

std::string all_batch_names() {
  std::vector<std::string> names;
  for (const KnownName& known : batch_names) names.emplace_back(known.name);
  return join(names, ", ");
}

bool is_mask_name(std::string_view name) { return name == "mask" || name == "attention_mask"; }

std::string_view last_name(std::string_view member) { return member.substr(member.rfind('.') + 1); }

/// The name of a mask in calls of torch, which is that of the batch's mask where no other has it.
bool is_attn_mask(std::string_view member) { return last_name(member.substr(member.rfind(':') + 1)) == "attn_mask"; }

/// Which known name a member has: its own, or that behind its last dot. Null: none.
const KnownName* known_name_of(std::string_view member) {
  const std::string_view last = is_attn_mask(member) ? "mask" : last_name(member);
  const auto* known = std::ranges::find_if(batch_names, [&](const KnownName& each) { return last == each.name; });
  return known == batch_names.end() ? nullptr : known;
}

Result<void> add_member(BatchMembers& members, const std::string& member, std::string value) {
  const auto leave_out = [&](std::string_view name) {
    members.others.push_back(name.empty() ? "an array without a name" : shortened(name, 40));
  };
  const KnownName* known = known_name_of(member);
  if (!known) {
    leave_out(member);
    return {};
  }
  const auto same = std::ranges::find(members.known, known->name, &BatchMember::name);
  if (same == members.known.end()) {
    members.known.push_back({known->name, std::move(value), known->of_mask});
  } else if (is_attn_mask(member)) {
    leave_out(member);
  } else if (is_attn_mask(same->value)) {
    leave_out("attn_mask");
    same->value = std::move(value);
  } else {
    return invalid("the name {} stands in it twice", known->name);
  }
  return {};
}

/// The tensors of a file, or of the dictionary in it that `name` names.
Result<BatchMembers> tensors_of(const std::shared_ptr<const ByteSource>& file, const TensorName& name) {
  const auto tensors = list_tensors(file, name.file, TensorUse::cells);
  if (!tensors) return tensors.error();
  const std::string place = tensor_path_text(name);
  BatchMembers members;
  for (const ListedTensor& tensor : *tensors) {
    if (!place.empty() && !tensor.name.starts_with(place + ".")) continue;
    auto added = add_member(members, tensor.name, name.file + ":" + tensor.name);
    if (added) continue;
    const std::string beside = tensor.name.substr(0, tensor.name.rfind('.'));
    return invalid("{}: {}; name the batch to take, such as {}:{}", shown_path(name.file), added.error().message,
                   shown_path(name.file), beside);
  }
  return members;
}

/// A value of a JSON object as a text that read_sample_array() takes.
JsonValue json_of_lists(const ConfigValue& value) {
  if (const auto* numbers = value.integers()) return JsonValue(*numbers);
  JsonArray rows;
  if (const auto* list = value.list())
    for (const ConfigValue& row : *list) rows.push_back(json_of_lists(row));
  if (const auto number = value.integer()) return JsonValue(*number);
  if (const auto* flag = value.boolean()) return JsonValue(Index{*flag ? 1 : 0});
  return JsonValue(std::move(rows));
}

Result<BatchMembers> lists_of(const ByteSource& file, const std::string& path) {
  if (file.size() > largest_json)
    return too_large("{} has {}, more than the limit of {}; save it as .npz", shown_input(path),
                     byte_count(static_cast<double>(file.size())), byte_count(static_cast<double>(largest_json)));
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  if (auto read = file.read(0, text); !read) return within(shown_input(path), read.error());
  const auto json = read_json(text, {.most_bytes = largest_json, .packs_numbers = true});
  if (!json) return within(shown_input(path), json.error());
  if (!json->object())
    return invalid("{} is not a JSON object but must be one of {}", shown_input(path), all_batch_names());
  BatchMembers members;
  for (const ConfigValue& member : json->object()->members) {
    const KnownName* known = known_name_of(member.key);
    const bool is_mask = known && known->name == std::string_view("mask");
    std::string value = is_mask ? path + ":" + member.key : compact_json(json_of_lists(member));
    if (auto added = add_member(members, member.key, std::move(value)); !added)
      return within(shown_input(path), added.error());
  }
  return members;
}

Result<BatchMembers> members_of_file(const std::string& path) {
  TensorName name{.file = path};
  if (auto parsed = parse_tensor_name(path)) name = std::move(*parsed);
  const auto file = open_file(name.file);
  if (!file) return file.error();
  const auto known = file_kind(**file, name.file);
  if (!known) return in_file(name.file, known.error());
  if (known->kind != FileKind::json) return tensors_of(*file, name);
  return tensor_path_text(name).empty() ? lists_of(**file, path)
                                        : invalid("{} has one batch, name the file alone", shown_input(name.file));
}

}  // namespace

Result<BatchMembers> batch_members(const std::string& path) {
  auto members = members_of_file(path);
  if (members && members->known.empty())
    return invalid("{} has none of {}; it has {}", shown_input(path), all_batch_names(),
                   members->others.empty() ? "no names" : shortened(join(members->others, ", "), 120));
  return members;
}

MaskInFile mask_in_file(const std::string& path) {
  const auto members = members_of_file(path);
  if (!members || members->known.empty()) return {path};
  if (members->known.size() > 1) return {path, true};
  const BatchMember& only = members->known[0];
  // A model's weights have position_ids among many others.
  if (!is_mask_name(only.name)) return {path, members->others.size() <= most_beside_one_name};
  return {members->others.empty() ? path : only.value};
}

bool is_batch_file(const std::string& path) { return mask_in_file(path).is_batch; }

std::string taken_members_text(const std::string& path, const std::vector<std::string>& taken,
                               const std::vector<std::string>& left) {
  std::string sentence = fmt::format("{}: took {}", shown_input(path), taken.empty() ? "nothing" : join(taken, ", "));
  if (!left.empty()) sentence += ", left out " + shortened(join(left, ", "), 120);
  return sentence;
}

}  // namespace vqscope
