// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/block_mask_export.h"

#include "app/cli/arguments/apply_setting.h"
#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/samples.h"
#include "app/cli/output/progress_line.h"
#include "app/process/interrupts.h"
#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/mask/blocks/block_mask_method.h"
#include "core/output/block_mask_file.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The arguments of `mask_blocks`, and what block_mask has beside them.
struct Wanted {
  MethodArguments arguments;
  Index kvBlockSize = 0;  ///< 0: as block_size
  bool trim = true;
};

Result<void> refuseOthers(const ExportArguments& arguments) {
  const std::pair<bool, const char*> options[]{
      {arguments.minusMask || !arguments.minus.empty(), arguments.minusMask ? "--minus-mask" : "--minus"},
      {arguments.rows || arguments.cols, arguments.rows ? "--rows" : "--cols"},
      {arguments.preset.has_value(), "--preset"},
      {arguments.keep.has_value(), "--keep"},
      {arguments.flat || arguments.float32, arguments.flat ? "--flat" : "--float32"},
      {arguments.additive.has_value(), "--additive"}};
  for (const auto& [given, name] : options)
    if (given) return invalid("{} is not for block_mask, which writes lists of blocks", name);
  return check_block_mask_files(arguments.outputs);
}

Result<Wanted> wantedOf(const ExportArguments& arguments) {
  Wanted wanted{.arguments = arguments};
  wanted.arguments.method = "mask_blocks";
  const auto specs = block_mask_parameters();
  ParameterValues values;
  for (const ParameterSpec& spec : specs) values.set(spec.name, spec.default_value);
  std::vector<Setting>& settings = wanted.arguments.settings;
  for (const Setting& setting : settings)
    if (find_spec(specs, setting.name))
      if (auto applied = applySetting(setting, specs, block_mask_method().id, values); !applied) return applied.error();
  std::erase_if(settings, [&](const Setting& setting) { return find_spec(specs, setting.name) != nullptr; });
  if (auto valid = check_values(specs, values); !valid) return valid.error();
  wanted.kvBlockSize = values.integer(kv_block_size_name);
  wanted.trim = values.boolean(trim_name);
  return wanted;
}

/// Parameters of the other method are those of this one.
Error renamed(Error error) {
  constexpr std::string_view other = " of mask_blocks";
  if (const auto at = error.message.find(other); at != std::string::npos)
    error.message.replace(at, other.size(), " of " + block_mask_method().id);
  return error;
}

using Lists = std::shared_ptr<const BlockLists>;

Result<Lists> listsOf(const MethodArguments& arguments, Index kvBlockSize, const Work& work) {
  const auto request = methodRequest(arguments);
  if (!request) return request.error();
  auto lists = block_lists_of(request->values, kvBlockSize, work);
  if (!lists) return lists.error();
  return std::make_shared<const BlockLists>(std::move(*lists));
}

/// Lists of each case; those of samples of padding alone are empty.
Result<std::vector<Lists>> listsOfCases(const Samples& samples, Index kvBlockSize, const Work& work) {
  std::vector<Lists> all;
  Lists first;
  const auto count = static_cast<double>(samples.cases.size());
  for (const Samples::Case& each : samples.cases) {
    const auto done = static_cast<double>(all.size());
    auto made = each.isPadding ? Result<Lists>(Lists())
                               : listsOf(each.arguments, kvBlockSize, part_of(work, done / count, 1 / count));
    if (!made) return made.error();
    if (!first) first = *made;
    if (*made && (*made)->lengths != first->lengths)
      return invalid("samples have masks of different lengths, {} × {} and {} × {}; --batch N chooses one",
                     first->lengths.rows, first->lengths.cols, (*made)->lengths.rows, (*made)->lengths.cols);
    all.push_back(std::move(*made));
  }
  if (!first) return invalid("every sample is padding alone");
  const auto empty = std::make_shared<const BlockLists>(empty_block_lists(first->size, first->lengths));
  std::ranges::replace(all, Lists(), empty);
  return all;
}

Result<BlockMasks> masksOf(const Samples& samples, Index kvBlockSize, const Work& work) {
  const auto made = listsOfCases(samples, kvBlockSize, work);
  if (!made) return made.error();
  BlockMasks masks{samples.samplesChecked, samples.headsChecked, {}};
  for (const std::size_t each : samples.caseOf) masks.lists.push_back((*made)[each]);
  return masks;
}

}  // namespace

Result<void> exportBlockMask(const ExportArguments& arguments) {
  if (auto allowed = refuseOthers(arguments); !allowed) return allowed;
  const auto wanted = wantedOf(arguments);
  if (!wanted) return wanted.error();
  const Interrupts interrupts;
  ProgressLine line;
  return guarded([&]() -> Result<void> {
    const auto samples = samplesOf(wanted->arguments);
    if (!samples) return renamed(samples.error());
    const auto masks = masksOf(*samples, wanted->kvBlockSize,
                               {.progress = [&](double part) { line.show(part); }, .stop = interrupts.token()});
    if (!masks) return renamed(masks.error());
    samples->say();
    return write_block_mask(*masks, {wanted->trim, arguments.force}, arguments.outputs, interrupts.token());
  });
}

}  // namespace vqscope
