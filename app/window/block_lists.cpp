// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/block_lists.h"

#include "core/base/guard.h"
#include "core/catalogue/registry.h"
#include "core/mask/blocks/block_mask_method.h"
#include "core/output/block_mask_file.h"
#include "widgets/dialog/export_run.h"
#include "widgets/parts/text.h"

namespace vqscope {
namespace {

Result<void> write(const ParameterValues& values, const std::string& path, const Work& work) {
  auto lists = block_lists_of(values, 0, work);
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
