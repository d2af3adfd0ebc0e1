// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/qkv/qkv_names.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/safetensors.h"
#include "core/io/tensor/tensor_name.h"
#include "core/method/qkv/head_layout.h"

#include <algorithm>
#include <cctype>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 3> role_letters{"q", "k", "v"};
constexpr std::array<std::string_view, 3> role_words{"quer", "key", "value"};
/// What stands beside q, k and v in files, named after them.
constexpr std::array<std::string_view, 7> other_words{"weight", "bias", "mask", "valid", "norm", "position", "length"};
/// Queries and keys after RoPE in a capture.
constexpr std::array<std::string_view, 2> rotated_names{"q_rot", "k_rot"};
constexpr std::size_t most_listed = 6;

/// Words of letters, in lower case; a capital inside a word begins another.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words{""};
  bool was_lower = false;
  for (const char c : name) {
    const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    const bool is_upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (!is_letter || (is_upper && was_lower)) words.emplace_back();
    if (is_letter) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    was_lower = is_letter && !is_upper;
  }
  std::erase(words, std::string());
  return words;
}

std::optional<std::size_t> role_of_word(std::string_view word) {
  for (std::size_t role = 0; role < role_letters.size(); ++role)
    if (word == role_letters[role] || word == std::string("x") + std::string(role_letters[role]) ||
        word.starts_with(role_words[role]))
      return role;
  return std::nullopt;
}

/// The role that the last word with one gives. A model's weights have none.
std::optional<std::size_t> role_in(std::string_view name) {
  const auto words = words_of(name);
  for (const auto& word : words)
    if (std::ranges::count(other_words, word) > 0) return std::nullopt;
  for (auto word = words.rbegin(); word != words.rend(); ++word)
    if (const auto role = role_of_word(*word)) return role;
  return std::nullopt;
}

std::string_view stem_of(std::string_view path) {
  const std::string_view name = file_name(path);
  return name.substr(0, name.rfind('.'));
}

std::optional<std::size_t> role_of(const FileTensor& tensor) {
  const auto own = role_in(tensor.tensor.name);
  return own ? own : role_in(stem_of(tensor.file));
}

/// "q", "layers.0.q", "q.npy": how clear the name is.
int clearness(const FileTensor& tensor) {
  const std::string_view name =
      tensor.tensor.name.empty() ? stem_of(tensor.file) : std::string_view(tensor.tensor.name);
  const std::string_view last = name.substr(name.find_last_of("./") + 1);
  const auto is_letter = [](std::string_view text) { return std::ranges::count(role_letters, lower_case(text)) > 0; };
  return is_letter(name) ? 2 : is_letter(last) ? 1 : 0;
}

/// The clearest tensors of a role.
std::vector<std::size_t> candidates(std::span<const FileTensor> tensors, std::size_t role) {
  std::vector<std::size_t> best;
  int most = -1;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].is_usable() || role_of(tensors[i]) != role) continue;
    const int clear = clearness(tensors[i]);
    if (clear > most) best.clear();
    most = std::max(most, clear);
    if (clear == most) best.push_back(i);
  }
  return best;
}

/// "q_rot" of "d/layer0.safetensors:layers.0.q_rot[2]".
std::string_view last_word(std::string_view tensor) {
  if (tensor.ends_with(']')) tensor = tensor.substr(0, tensor.rfind('['));
  return tensor.substr(tensor.find_last_of("./:") + 1);
}

/// The only usable tensor that is called so; nothing: there is none, or there are several.
std::optional<std::size_t> only_called(std::span<const FileTensor> tensors, std::string_view wanted) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].is_usable() || last_word(tensors[i].tensor.name) != wanted) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::string listed_names(std::span<const FileTensor> tensors, std::span<const std::size_t> places) {
  std::string text;
  for (const std::size_t place : places.first(std::min(places.size(), most_listed)))
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", shortened(tensors[place].tensor.name, 30),
                        shape_words(tensors[place].tensor.shape));
  return places.size() > most_listed ? text + fmt::format(" and {} more", places.size() - most_listed) : text;
}

Result<std::vector<FileTensor>> tensors_in(const std::string& path) {
  const auto file = open_file(path);
  if (!file) return file.error();
  auto listed = list_tensors(*file, path);
  if (!listed) return listed.error();
  std::vector<FileTensor> tensors;
  for (auto& tensor : *listed) tensors.push_back({path, std::move(tensor)});
  return tensors;
}

std::string name_text(const FileTensor& tensor, std::vector<Index> leading = {}) {
  return tensor_name_text({tensor.file, tensor.tensor.name, std::move(leading)});
}

/// Three parts of one tensor [3, ...].
std::optional<QkvNames> stacked(const FileTensor& tensor) {
  const auto& shape = tensor.tensor.shape;
  if (!tensor.tensor.problem.empty() || shape.size() < 3 || shape[0] != 3) return std::nullopt;
  return QkvNames{name_text(tensor, {0}), name_text(tensor, {1}), name_text(tensor, {2})};
}

/// A name with indices as a part of longer names: "layers[0]" of "layers[0].q". Indices stay apart
/// where no longer name begins so.
TensorName as_prefix(TensorName name, std::span<const FileTensor> tensors) {
  std::string prefix = name.name;
  for (const Index index : name.leading) prefix += fmt::format("[{}]", index);
  const auto begins = [&](const FileTensor& each) { return each.tensor.name.starts_with(prefix + "."); };
  if (name.leading.empty() || std::ranges::none_of(tensors, begins)) return name;
  return {std::move(name.file), std::move(prefix), {}};
}

/// The tensor is there, and why it cannot be read.
Error unread_role(const std::string& file, const ListedTensor& tensor) {
  const std::string title = tensor_title(tensor.name);
  if (tensor.problem.starts_with(title)) return invalid("{}: {}", file, tensor.problem);
  return invalid("{}: {}{}: {}", file, title, tensor.dtype.empty() ? "" : " has dtype " + shortened(tensor.dtype, 20),
                 tensor.problem);
}

Result<QkvNames> find_in_file(const TensorName& given) {
  auto tensors = tensors_in(given.file);
  if (!tensors) return tensors.error();
  const TensorName name = as_prefix(given, *tensors);
  const std::string file = shortened(name.file, 100);
  if (!name.name.empty())
    std::erase_if(*tensors, [&](const FileTensor& each) {
      return each.tensor.name != name.name && !each.tensor.name.starts_with(name.name + ".") &&
             !each.tensor.name.starts_with(name.name + "/");
    });
  if (tensors->size() == 1)
    if (auto parts = stacked(tensors->front())) return *parts;
  std::array<std::string, 3> found;
  for (std::size_t role = 0; role < found.size(); ++role) {
    const auto places = candidates(*tensors, role);
    if (places.size() > 1)
      return invalid("{} holds {} tensors that can be {}: {}; name them: qkv=FILE:Q,FILE:K,FILE:V, or qkv=FILE:PREFIX",
                     file, places.size(), role_letters[role], listed_names(*tensors, places));
    if (!places.empty()) found[role] = name_text((*tensors)[places[0]], name.leading);
  }
  if (!found[0].empty() && !found[1].empty()) return QkvNames{found[0], found[1], found[2]};
  const std::size_t missing = found[0].empty() ? 0 : 1;
  for (const FileTensor& each : *tensors)
    if (role_of(each) == missing && !each.tensor.problem.empty()) return unread_role(file, each.tensor);
  std::vector<std::size_t> all(tensors->size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return invalid("{} holds no tensor that is called {}{}; name them: qkv=FILE:Q,FILE:K,FILE:V", file,
                 role_letters[missing],
                 tensors->empty() ? std::string() : fmt::format(", only {}", listed_names(*tensors, all)));
}

/// At commas outside brackets.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// In the order q, k, v, unless the names of all say another.
Result<QkvNames> in_order(std::vector<std::string> parts) {
  const bool has_blank = std::ranges::count(parts, std::string()) > 0;
  if (parts.size() > 3 || has_blank)
    return invalid("qkv has {} tensors{} but must be 2 or 3 names: FILE:Q,FILE:K,FILE:V", parts.size(),
                   has_blank ? ", some of them without a name" : "");
  std::array<std::optional<std::string>, 3> by_role;
  bool is_clear = true;
  for (const auto& part : parts) {
    const auto name = parse_tensor_name(part);
    if (!name) return invalid("qkv: {}", name.error().message);
    const auto role = role_of({name->file, {.name = name->name, .dtype = {}, .shape = {}}});
    is_clear = is_clear && role && !by_role[*role];
    if (role) by_role[*role] = part;
  }
  if (is_clear && by_role[0] && by_role[1]) return QkvNames{*by_role[0], *by_role[1], by_role[2].value_or("")};
  parts.resize(3);
  return QkvNames{parts[0], parts[1], parts[2]};
}

}  // namespace

QkvRoles guessed_roles(std::span<const FileTensor> tensors) {
  QkvRoles roles;
  for (std::size_t role = 0; role < roles.size(); ++role)
    if (const auto places = candidates(tensors, role); !places.empty()) roles[role] = places[0];
  const auto q = only_called(tensors, rotated_names[0]), k = only_called(tensors, rotated_names[1]);
  if (q && k) roles[0] = q, roles[1] = k;
  return roles;
}

bool is_called_rotated(std::string_view tensor) { return std::ranges::count(rotated_names, last_word(tensor)) > 0; }

bool is_of_attention_function(const ByteSource& bytes, std::string_view file) {
  return file.ends_with(".safetensors") && safetensors_metadata(bytes).contains("is_causal");
}

std::optional<FileTensor> mask_among(std::span<const FileTensor> tensors) {
  const auto own_name = [](const FileTensor& each) {
    return lower_case(each.tensor.name.empty() ? stem_of(each.file) : std::string_view(each.tensor.name));
  };
  const auto is_mask = [&](const FileTensor& each) {
    return each.tensor.shape.size() >= 2 && (own_name(each).find("mask") != std::string::npos ||
                                             lower_case(stem_of(each.file)).find("mask") != std::string::npos);
  };
  auto found = std::ranges::find_if(
      tensors, [&](const FileTensor& each) { return each.tensor.shape.size() >= 2 && own_name(each) == "mask"; });
  if (found == tensors.end()) found = std::ranges::find_if(tensors, is_mask);
  return found == tensors.end() ? std::nullopt : std::optional(*found);
}

Result<QkvNames> find_qkv(std::string_view text) {
  auto parts = parts_of(text);
  if (parts.size() > 1) return in_order(std::move(parts));
  const auto name = parse_tensor_name(text);
  if (!name) return invalid("qkv: {}", name.error().message);
  return find_in_file(*name);
}

}  // namespace vqscope
