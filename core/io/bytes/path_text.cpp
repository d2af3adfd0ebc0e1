// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/path_text.h"

#include "core/base/text.h"

namespace vqscope {
namespace {

constexpr std::size_t longest_path = 160;  // characters

}  // namespace

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string file_suffix(std::string_view path) {
  const std::string_view name = file_name(path);
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  return lower_case(name.substr(dot + 1));
}

std::string shown_path(std::string_view path) { return shortened(path, longest_path); }

}  // namespace vqscope
