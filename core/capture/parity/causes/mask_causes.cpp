// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"

#include <algorithm>
#include <set>

namespace vqscope {
namespace {

/// Every window of a short sequence; of a long one those beside A's and the usual ones.
std::set<Index> windows_to_try(Index own, Index keys) {
  std::set<Index> windows;
  for (Index window = 1; window <= std::min<Index>(keys, 128); ++window) windows.insert(window);
  for (Index window = 256; window <= keys; window *= 2) windows.insert(window);
  for (const Index step : {-2, -1, 1, 2}) windows.insert(own + step);
  windows.insert(own / 2);
  windows.insert(2 * own);
  windows.erase(windows.begin(), windows.lower_bound(1));
  // As long as the sequence: none.
  windows.erase(windows.lower_bound(keys), windows.end());
  windows.erase(own);
  return windows;
}

void try_windows(CauseSearch& search) {
  const Recipe& own = search.recipe();
  const Index window = own.mask.window;
  if (window > 0) {
    Recipe none = own;
    none.stored_mask = false;
    none.mask.window = 0;
    search.add("window_ignored", {{"a", window}}, none, 1);
  }
  // A ignores what it was told: that is found from B.
  if (window == 0 && search.told().window) return;
  for (const Index other : windows_to_try(window, search.sample().keys)) {
    Recipe changed = own;
    changed.stored_mask = false;
    changed.mask.window = other;
    search.add("window_size", {{"a", window}, {"b", other}}, changed, 2);
  }
}

void try_alignment(CauseSearch& search) {
  Recipe changed = search.recipe();
  if (search.sample().past == 0 || changed.stored_mask) return;
  changed.mask.bottom_right = false;
  search.add("causal_alignment", {{"past", search.sample().past}}, changed, 1);
}

}  // namespace

void try_mask_causes(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const Recipe& own = search.recipe();
  if (!search.inputs().has_vectors() && search.inputs().logits.values.empty() && !sample.has(TensorRole::mask)) return;
  const auto add = [&](const char* id, JsonObject parameters, auto change) {
    Recipe changed = own;
    change(changed);
    search.add(id, std::move(parameters), changed, 1);
  };
  if (own.mask.chunk > 0)
    add("chunk_ignored", {{"chunk", own.mask.chunk}}, [](Recipe& r) { r.stored_mask = false, r.mask.chunk = 0; });
  if (!sample.documents.empty())
    add("documents_ignored", {{"documents", sample.lengths}},
        [](Recipe& r) { r.stored_mask = false, r.mask.documents = false; });
  if (!sample.padded.empty())
    add("padding_ignored", {{"padding", sample.padding}},
        [](Recipe& r) { r.stored_mask = false, r.mask.padding = false; });
  try_alignment(search);
  if (!own.stored_mask) add("mask_inverted", {}, [](Recipe& r) { r.mask.inverted = true; });
  // By weights alone it is any mask that hides nothing.
  Recipe added = own;
  added.additive_01 = true;
  search.add("mask_additive_01", {}, added, search.inputs().has_vectors() ? 1 : 4);
  try_windows(search);
}

}  // namespace vqscope
