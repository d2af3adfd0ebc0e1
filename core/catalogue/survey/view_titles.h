// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace vqscope {

/// How the survey names the picture that a method gives of an encoding.
struct ViewTitle {
  std::string_view method;
  std::string_view title;
  /// Ids of encodings that it shows, where no choice of its parameters names them.
  std::vector<std::string_view> of = {};
};

/// In the order in which the views of an encoding are listed.
std::span<const ViewTitle> view_titles();

}  // namespace vqscope
