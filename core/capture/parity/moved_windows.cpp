// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/parity.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index unknown_window = -1;

/// The window that the tensors of a side show; 0: none, -1: they do not tell.
Index shown_window(const LayerSample& sample, const ToldModel& told, bool of_b) {
  LayerSample side = sample;
  if (of_b) side.a = side.b;
  side.b = side.a;
  for (auto& [role, agrees] : side.agrees) agrees = true;
  const Recipe recipe = fitted_recipe(side, told);
  if (recipe.stored_mask) return unknown_window;
  const bool shown = side.has(TensorRole::mask) || side.has(TensorRole::weights) || side.has(TensorRole::out);
  if (!shown) return unknown_window;
  if (side.has(TensorRole::mask)) return recipe.mask.window;
  return own_error(side, recipe) < 0.05 ? recipe.mask.window : unknown_window;
}

/// Windows of a side by layer: as its tensors show them, else as it was told.
std::vector<Index> windows_of_side(const Capture& a, const Capture& b, const CaptureComparison& comparison, bool of_b) {
  std::vector<Index> windows = told_windows(a);
  for (const ComparedLayer& each : comparison.layers) {
    if (std::ssize(windows) <= each.layer) windows.resize(static_cast<std::size_t>(each.layer) + 1, 0);
    const auto sample = layer_sample(a, b, comparison, each.layer, {});
    if (!sample || sample->is_part) continue;
    const Index length = sample->past + sample->queries;
    const Index shown = shown_window(*sample, told_model(a, each.layer, sample->head_dim, length), of_b);
    // A window as long as the sequence is none.
    if (shown != unknown_window) windows[static_cast<std::size_t>(each.layer)] = shown >= length ? 0 : shown;
  }
  return windows;
}

}  // namespace

std::optional<TriedCause> moved_windows(const Capture& a, const Capture& b, const CaptureComparison& comparison,
                                        const TriedCause& found) {
  if (comparison.layers.size() > 128) return std::nullopt;
  const auto windows_a = windows_of_side(a, b, comparison, false), windows_b = windows_of_side(a, b, comparison, true);
  const auto has = [](const std::vector<Index>& windows, bool some) {
    return std::any_of(windows.begin(), windows.end(), [some](Index each) { return (each > 0) == some; });
  };
  const auto told = told_windows(a);
  bool moved = false, changed = false, lost = false, as_told = true;
  for (std::size_t i = 0; i < std::min(windows_a.size(), windows_b.size()); ++i) {
    const bool compared = comparison.find(static_cast<Index>(i)) != nullptr;
    moved = moved || (compared && windows_a[i] == 0 && windows_b[i] > 0);
    lost = lost || (compared && windows_a[i] > 0 && windows_b[i] == 0);
    as_told = as_told && (!compared || i >= told.size() || windows_a[i] == told[i]);
    changed = changed || (compared && windows_a[i] > 0 && windows_b[i] > 0 && windows_a[i] != windows_b[i]);
  }
  // The same windows, at other layers. What A was told of the layers that were not compared counts where A does
  // elsewhere as it was told.
  if (!moved || changed || !(lost || as_told) || !has(windows_a, true)) return std::nullopt;
  return TriedCause{"window_layers", {{"windows_a", windows_a}, {"windows_b", windows_b}}, found.explained, 1};
}

}  // namespace vqscope
