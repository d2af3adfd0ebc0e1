// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cgroup.h"

#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

namespace vqscope {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// "max" is no number.
double limit_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  double bytes = 0;
  return stream >> bytes && bytes > 0 ? bytes : no_limit;
}

/// Within a container the path may be that of the host, and only the groups above exist.
double least_limit(const std::filesystem::path& root, const std::string& path, const char* name) {
  double least = limit_in(root / name);
  std::filesystem::path folder = root;
  for (const auto& part : std::filesystem::path(path).relative_path()) {
    if (part == "..") continue;
    folder /= part;
    least = std::min(least, limit_in(folder / name));
  }
  return least;
}

}  // namespace

double cgroup_memory(std::istream& own_groups, const std::string& root) {
  double least = no_limit;
  for (std::string line; std::getline(own_groups, line);) {
    const auto parts = split(line, ':');  // id, controllers, path
    if (parts.size() < 3) continue;
    const std::string path = line.substr(parts[0].size() + parts[1].size() + 2);
    const auto controllers = split(parts[1], ',');
    if (parts[1].empty())
      least = std::min(least, least_limit(root, path, "memory.max"));
    else if (std::ranges::count(controllers, "memory") > 0)
      least = std::min(least, least_limit(root + "/memory", path, "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace vqscope
