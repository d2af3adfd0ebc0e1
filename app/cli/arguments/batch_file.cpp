// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/batch_file.h"

#include "core/mask/batch/batch_members.h"

#include <algorithm>
#include <utility>

namespace vqscope {

Result<MethodArguments> withBatchFile(const MethodArguments& arguments, std::vector<std::string>& notes) {
  if (!arguments.batchFile) return arguments;
  const std::string& path = *arguments.batchFile;
  auto members = batch_members(path);
  if (!members) return members.error();
  MethodArguments all = arguments;
  all.batchFile.reset();
  std::vector<std::string> taken;
  std::vector<std::string> left = std::move(members->others);
  std::vector<Setting> settings;
  for (BatchMember& member : members->known) {
    // The ids of tokens give T, the samples and the texts of the axes to every command.
    const bool isForAll = member.of_mask || member.name == "input_ids";
    const bool given = std::ranges::count(arguments.settings, member.name, &Setting::name) > 0 ||
                       (member.name == "mask" && arguments.mask);
    if (given || !(isForAll || arguments.states)) {
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
  notes.push_back(taken_members_text(path, taken, left));
  return all;
}

void takeFile(MethodArguments& arguments, const std::string& path) {
  MaskInFile found = mask_in_file(path);
  (found.is_batch ? arguments.batchFile : arguments.mask) = std::move(found.path);
}

}  // namespace vqscope
