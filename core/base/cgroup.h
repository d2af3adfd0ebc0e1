// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>

namespace vqscope {

/// The least memory limit in bytes of the control groups that the text of /proc/self/cgroup names,
/// and of those above them; infinity: no limit. `root`: where they are mounted, with version 1's
/// groups of memory in a folder of their own.
double cgroup_memory(std::istream& own_groups, const std::string& root = "/sys/fs/cgroup");

}  // namespace vqscope
