// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/mask_batch.h"

#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/lint/contract_plan.h"
#include "widgets/parts/file_name.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace vqscope {
namespace {

using Masks = std::vector<std::shared_ptr<const MaskImport>>;

/// Which masks of a file with these leading dimensions the options leave: B, H, and how many of each.
MaskBatch batchOf(const std::vector<Index>& leading, const DumpOptions& options) {
  MaskBatch batch;
  const bool byHead = leading.size() == 1 && options.head && !options.batch;
  if (!leading.empty()) (byHead ? batch.heads : batch.samples) = leading[0];
  if (leading.size() > 1) batch.heads = leading[1];
  batch.samples_checked = options.batch ? 1 : batch.samples;
  batch.heads_checked = options.head ? 1 : batch.heads;
  return batch;
}

const DumpMask& cellsOf(const MaskImport& import) { return *std::get<1>(import.mask); }

bool areEqual(const MaskImport& a, const MaskImport& b) { return cellsOf(a) == cellsOf(b) && a.warnings == b.warnings; }

/// The masks of the batch; those that are equal share one object.
Result<Masks> readAll(const QString& path, DumpOptions options, const MaskBatch& batch) {
  const bool allSamples = batch.samples_checked > 1;
  const bool allHeads = batch.heads_checked > 1;
  Masks masks;
  Masks known;
  for (Index i = 0; i < batch.samples_checked * batch.heads_checked; ++i) {
    if (allSamples) options.batch = i / batch.heads_checked;
    if (allHeads) options.head = i % batch.heads_checked;
    auto import = importMask(path, options);
    if (!import) return import.error();
    const auto equal = std::ranges::find_if(known, [&](const auto& other) { return areEqual(*other, *import); });
    if (equal != known.end()) {
      masks.push_back(*equal);
      continue;
    }
    options.most_intervals -= std::min<std::uint64_t>(options.most_intervals, cellsOf(*import).interval_count());
    masks.push_back(known.emplace_back(std::make_shared<const MaskImport>(std::move(*import))));
  }
  return masks;
}

/// If not all masks are read with the same polarity, the one that more masks say by their cells.
std::optional<DumpPolarity> contestedPolarity(const Masks& masks) {
  const auto differs = [&](const auto& mask) { return mask->reading.polarity != masks.front()->reading.polarity; };
  if (std::ranges::none_of(masks, differs)) return std::nullopt;
  const auto votes = [&](DumpPolarity polarity) {
    return std::ranges::count_if(masks, [&](const auto& mask) {
      return mask->reading.decided == PolaritySource::guessed && mask->reading.polarity == polarity;
    });
  };
  using enum DumpPolarity;
  return votes(masked_true) > votes(visible_true) ? masked_true : visible_true;
}

void sayHowRead(const QString& path, const MaskBatch& batch) {
  std::string shape;
  if (batch.samples > 1) shape = counted(static_cast<std::uint64_t>(batch.samples), "sample");
  if (batch.heads > 1) shape += (shape.empty() ? "" : ", ") + counted(static_cast<std::uint64_t>(batch.heads), "head");
  if (batch.masks.size() > 1) shape += fmt::format(", {} different masks; the first", batch.different());
  note(shownPath(path) + ": " + shape + (shape.empty() ? "" : ": ") + batch.masks.front()->sentence);
  std::set<std::string> said;
  for (const auto& mask : batch.masks)
    for (const auto& warning : mask->warnings)
      if (said.insert(warning).second) warn(warning);
}

}  // namespace

std::size_t MaskBatch::different() const { return std::set(masks.begin(), masks.end()).size(); }

Result<MaskBatch> readMaskBatch(const QString& path, DumpOptions options) {
  auto first = importMask(path, options);
  if (!first) return first.error();
  if (first->isText()) return MaskBatch{.masks = {std::make_shared<const MaskImport>(std::move(*first))}};
  MaskBatch batch = batchOf(first->leading, options);
  if (batch.samples_checked * batch.heads_checked == 1) {
    batch.masks = {std::make_shared<const MaskImport>(std::move(*first))};
  } else {
    auto masks = readAll(path, options, batch);
    if (!masks) return masks.error();
    const auto polarity = contestedPolarity(*masks);
    if (polarity) {
      options.polarity = polarity;
      masks = readAll(path, options, batch);
      if (!masks) return masks.error();
    }
    batch.masks = std::move(*masks);
  }
  sayHowRead(path, batch);
  return batch;
}

}  // namespace vqscope
