// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/block_lists.h"

#include "core/base/guard.h"
#include "core/catalogue/registry.h"
#include "core/mask/preset/presets.h"
#include "core/output/block_mask_file.h"
#include "widgets/dialog/export_run.h"
#include "widgets/parts/text.h"

#include <algorithm>
#include <thread>

namespace vqscope {
namespace {

Result<void> write(const ParameterValues& values, const std::string& path, const Work& work) {
  auto mask = make_preset_mask(values, work.stop);
  if (!mask) return mask.error();
  const Index size = values.integer("block_size");
  auto lists = make_block_lists(BlockView(std::move(*mask), {size, size}),
                                {.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency())),
                                 .progress = work.progress,
                                 .stop = work.stop,
                                 .most_steps = most_steps_of_a_file});
  if (!lists) return lists.error();
  const BlockMasks masks{1, 1, {std::make_shared<const BlockLists>(std::move(*lists))}};
  return write_block_mask(masks, {}, {path}, work.stop);
}

}  // namespace

Result<void> writeBlockLists(const ShownPage& page, const QString& path, QWidget* window) {
  const ParameterValues values = carried_values(*find_method("mask_blocks"), page.values);
  ExportRun run(path, window);
  Result<void> done;
  const auto work = [&] {
    done = guarded([&] {
      return write(values, bytesOf(path),
                   {.progress = [&](double fraction) { run.setFraction(fraction); }, .stop = run.token()});
    });
  };
  run.run(work, WhenStopped::wait);
  return done;
}

}  // namespace vqscope
