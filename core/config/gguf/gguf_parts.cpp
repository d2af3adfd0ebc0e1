// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/gguf/gguf_parts.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"

#include <iterator>

namespace vqscope {
namespace {

constexpr std::size_t digits = 5;
constexpr std::string_view between = "-of-", suffix = ".gguf";
constexpr Index most_parts = 1000;

std::optional<Index> number_of(std::string_view text) {
  if (text.size() != digits || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return parse_index(text);
}

}  // namespace

std::optional<GgufParts> gguf_parts(const std::string& path) {
  constexpr std::size_t tail = digits + between.size() + digits + suffix.size();
  if (path.size() <= tail || !path.ends_with(suffix)) return std::nullopt;
  const std::string stem = path.substr(0, path.size() - tail);
  const std::string_view end = std::string_view(path).substr(stem.size());
  const auto part = number_of(end.substr(0, digits));
  const std::string_view count_text = end.substr(digits + between.size(), digits);
  const auto count = number_of(count_text);
  if (!stem.ends_with('-') || end.substr(digits, between.size()) != between || !part || !count) return std::nullopt;
  if (*count < 2 || *count > most_parts || *part < 1 || *part > *count) return std::nullopt;
  const auto name = [&](Index each) { return fmt::format("{}{:05}{}{}{}", stem, each, between, count_text, suffix); };
  GgufParts parts{name(1), {}};
  for (Index each = 2; each <= *count; ++each) parts.others.push_back(name(each));
  return parts;
}

OtherTensors tensors_of_parts(const std::vector<std::string>& parts) {
  OtherTensors found;
  for (const std::string& part : parts) {
    const auto refused = [&](const Error& error) {
      found.problems.push_back(fmt::format("part {} is not read, so its tensors are not checked: {}",
                                           shortened(std::string(file_name(part))), error.message));
    };
    const auto file = open_file(part);
    if (!file) {
      refused(file.error());
      continue;
    }
    auto head = read_gguf_head(**file);
    if (!head) {
      refused(head.error());
      continue;
    }
    for (auto& tensor : head->tensors) tensor.is_elsewhere = true;
    found.all.insert(found.all.end(), std::make_move_iterator(head->tensors.begin()),
                     std::make_move_iterator(head->tensors.end()));
  }
  return found;
}

}  // namespace vqscope
