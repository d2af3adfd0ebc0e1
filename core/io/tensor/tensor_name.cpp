// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_name.h"

#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"

#include <sys/stat.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 9> extensions{".npy", ".npz",    ".safetensors", ".pt",  ".pth",
                                                     ".pkl", ".pickle", ".bin",         ".ckpt"};
/// Beginnings of a text that are looked for on disk.
constexpr int most_beginnings = 64;
constexpr std::size_t longest_named = 100;

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return std::tolower(static_cast<unsigned char>(x)) == y; });
}

bool is_there(std::string_view path) {
  struct stat status {};
  return !path.empty() && ::stat(std::string(path).c_str(), &status) == 0;
}

bool is_end(std::string_view text, std::size_t at) {
  return at == text.size() || text[at] == ':' || (text[at] == '[' && text.ends_with(']'));
}

/// Where the name of a file that does not exist ends: after an extension.
std::optional<std::size_t> end_by_extension(std::string_view text) {
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1))
    for (const auto extension : extensions)
      if (const std::size_t end = dot + extension.size();
          same_letters(text.substr(dot, extension.size()), extension) && is_end(text, end))
        return end;
  return std::nullopt;
}

std::optional<std::size_t> end_of_file_name(std::string_view text) {
  if (text.starts_with('-') && is_end(text, 1)) return 1;
  if (is_there(text)) return text.size();
  int looked = 0;
  for (std::size_t at = text.size(); at-- > 1 && looked < most_beginnings;) {
    if (!is_end(text, at)) continue;
    if (is_there(text.substr(0, at))) return at;
    ++looked;
  }
  return end_by_extension(text);
}

/// Takes "[2,-1]" and "[2][-1]" off the end. A key of a dictionary may end with other brackets.
Result<std::vector<Index>> take_leading(std::string_view& text) {
  std::vector<Index> leading;
  while (text.ends_with(']')) {
    const auto bracket = text.rfind('[');
    if (bracket == std::string_view::npos) return leading;
    std::vector<Index> group;
    for (const auto item : split(text.substr(bracket + 1, text.size() - bracket - 2), ',')) {
      const auto index = parse_index(trimmed(item));
      if (!index && bracket > 0 && text[0] == ':') return leading;
      if (!index)
        return invalid("brackets at the end must hold whole numbers, such as [2] or [2,5], not {}",
                       trimmed(item).empty() ? "nothing" : shortened(item, 20));
      group.push_back(*index);
    }
    leading.insert(leading.begin(), group.begin(), group.end());
    text.remove_suffix(text.size() - bracket);
  }
  return leading;
}

}  // namespace

Result<TensorName> parse_tensor_name(std::string_view text) {
  const auto end = end_of_file_name(text);
  if (!end)
    return Error{Errc::not_found, fmt::format("there is no file {}, expected FILE or FILE:NAME", shown_path(text))};
  TensorName name{.file = std::string(text.substr(0, *end)), .name = {}, .leading = {}};
  std::string_view rest = text.substr(*end);
  if (rest == ":") return invalid("{}: the name of a tensor must follow the colon", shortened(text, longest_named));
  auto leading = take_leading(rest);
  if (!leading) return within(shortened(text, longest_named), leading.error());
  name.leading = std::move(*leading);
  if (rest.starts_with(':')) rest.remove_prefix(1);
  name.name = rest;
  return name;
}

bool has_tensor_suffix(std::string_view path) {
  return std::ranges::any_of(extensions, [&](std::string_view extension) {
    return path.size() > extension.size() && same_letters(path.substr(path.size() - extension.size()), extension);
  });
}

std::string tensor_name_text(const TensorName& name) {
  const std::string path = tensor_path_text({{}, {}, name.leading});
  return name.file + (name.name.empty() ? "" : ":" + name.name) + path;
}

std::string tensor_path_text(const TensorName& name) {
  if (name.leading.empty()) return name.name;
  std::vector<std::string> indices;
  for (const Index index : name.leading) indices.push_back(to_text(index));
  return fmt::format("{}[{}]", name.name, join(indices, ","));
}

}  // namespace vqscope
