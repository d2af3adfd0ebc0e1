// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/npz.h"

namespace vqscope {

Result<std::vector<NpzArray>> npz_arrays(const ByteSource& archive) {
  auto members = read_zip_directory(archive);
  if (!members) return members.error();
  constexpr std::string_view suffix = ".npy";
  std::vector<NpzArray> arrays;
  for (auto& member : *members)
    if (member.name.ends_with(suffix))
      arrays.push_back({member.name.substr(0, member.name.size() - suffix.size()), std::move(member)});
  return arrays;
}

}  // namespace vqscope
