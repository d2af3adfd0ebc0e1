// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/mask_batch.h"

#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"
#include "core/lint/lint_plan.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace vqscope {
namespace {

using Masks = std::vector<std::shared_ptr<const MaskImport>>;

/// Which masks of a file with these leading dimensions the options leave: B, H, and how many of
/// each.
MaskBatch batchOf(const std::vector<Index>& leading, const ImportOptions& options) {
  MaskBatch batch;
  const bool byHead = leading.size() == 1 && options.head && !options.batch;
  if (!leading.empty()) (byHead ? batch.heads : batch.samples) = leading[0];
  if (leading.size() > 1) batch.heads = leading[1];
  batch.samples_checked = options.batch ? 1 : batch.samples;
  batch.heads_checked = options.head ? 1 : batch.heads;
  return batch;
}

const ImportedMask& cellsOf(const MaskImport& import) { return *std::get<1>(import.mask); }

bool areEqual(const MaskImport& a, const MaskImport& b) {
  return cellsOf(a) == cellsOf(b) && a.warnings == b.warnings && a.sentence == b.sentence;
}

/// Adds a mask; one that is equal to a former one shares its object.
void append(MaskImport import, Masks& masks, Masks& known) {
  const auto equal = std::ranges::find_if(known, [&](const auto& other) { return areEqual(*other, import); });
  masks.push_back(equal != known.end() ? *equal
                                       : known.emplace_back(std::make_shared<const MaskImport>(std::move(import))));
}

Result<Masks> readAll(const std::string& path, ImportOptions options, const MaskBatch& batch) {
  const bool allSamples = batch.samples_checked > 1;
  const bool allHeads = batch.heads_checked > 1;
  Masks masks;
  Masks known;
  for (Index i = 0; i < batch.samples_checked * batch.heads_checked; ++i) {
    if (allSamples) options.batch = i / batch.heads_checked;
    if (allHeads) options.head = i % batch.heads_checked;
    auto import = import_mask(path, options);
    if (!import) return import.error();
    const std::uint64_t intervals = cellsOf(*import).runs().size();
    const std::size_t before = known.size();
    append(std::move(*import), masks, known);
    if (known.size() > before) options.most_intervals -= std::min(options.most_intervals, intervals);
  }
  return masks;
}

/// A reading with the polarity that more masks show by their cells, and how many show it for the
/// same reason; nullptr if none does.
std::pair<const ImportedReading*, std::ptrdiff_t> votedReading(const Masks& masks) {
  const auto guesses = [&](ImportedPolarity polarity) {
    return [polarity](const auto& mask) {
      return mask->reading.decided == PolaritySource::guessed && mask->reading.polarity == polarity;
    };
  };
  using enum ImportedPolarity;
  const auto visible = std::ranges::count_if(masks, guesses(visible_true));
  const auto masked = std::ranges::count_if(masks, guesses(masked_true));
  const auto first = std::ranges::find_if(masks, guesses(masked > visible ? masked_true : visible_true));
  if (first == masks.end()) return {nullptr, 0};
  const ImportedReading& voted = (*first)->reading;
  return {&voted, std::ranges::count_if(masks, [&](const auto& mask) { return mask->reading.why == voted.why; })};
}

/// Masks that are not read alike, read as most of those that show their polarity.
Masks readAlike(const Masks& masks) {
  const auto [voted, votes] = votedReading(masks);
  if (!voted) return masks;
  const auto isRead = [voted = voted](const auto& mask) { return mask->reading.why == voted->why; };
  if (std::ranges::all_of(masks, isRead)) return masks;
  const std::string evidence = fmt::format("in {} of {} masks {}", votes, masks.size(), voted->evidence);
  Masks alike;
  Masks known;
  for (const auto& mask : masks) append(read_import_as(*mask, *voted, evidence), alike, known);
  return alike;
}

void printReading(const std::string& path, const MaskBatch& batch) {
  std::string shape;
  if (batch.samples > 1) shape = counted(static_cast<std::uint64_t>(batch.samples), "sample");
  if (batch.heads > 1) shape += (shape.empty() ? "" : ", ") + counted(static_cast<std::uint64_t>(batch.heads), "head");
  if (batch.masks.size() > 1) shape += fmt::format(", {} different masks; the first", batch.different());
  note(shown_path(path) + ": " + shape + (shape.empty() ? "" : ": ") + batch.masks.front()->sentence);
  std::set<std::string> shown;
  for (const auto& mask : batch.masks)
    for (const auto& warning : mask->warnings)
      if (shown.insert(warning).second) warn(warning);
}

}  // namespace

std::size_t MaskBatch::different() const { return std::set(masks.begin(), masks.end()).size(); }

Result<MaskBatch> readMaskBatch(const std::string& path, const ImportOptions& options) {
  auto first = import_mask(path, options);
  if (!first) return first.error();
  if (first->is_text()) return MaskBatch{.masks = {std::make_shared<const MaskImport>(std::move(*first))}};
  MaskBatch batch = batchOf(first->leading, options);
  if (batch.samples_checked * batch.heads_checked == 1) {
    batch.masks = {std::make_shared<const MaskImport>(std::move(*first))};
  } else {
    auto masks = readAll(path, options, batch);
    if (!masks) return masks.error();
    batch.masks = readAlike(*masks);
  }
  printReading(path, batch);
  return batch;
}

}  // namespace vqscope
