// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/text/layer_texts.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <map>
#include <span>

namespace vqscope {
namespace {

using Texts = std::span<const std::string>;

/// "5*sliding:1024,full".
std::string runs_text(Texts layers) {
  std::string text;
  for (std::size_t i = 0; i < layers.size();) {
    std::size_t end = i;
    while (end < layers.size() && layers[end] == layers[i]) ++end;
    if (!text.empty()) text += ',';
    text += end - i > 1 ? fmt::format("{}*{}", end - i, layers[i]) : layers[i];
    i = end;
  }
  return text;
}

/// "10*(5*sliding:1024,full),2*sliding:1024" with the shortest period that repeats, or runs where
/// that is shorter.
std::string repeated_text(Texts layers) {
  std::string best = runs_text(layers);
  for (std::size_t period = 2; period * 2 <= layers.size(); ++period) {
    if (!std::equal(layers.begin() + static_cast<std::ptrdiff_t>(period), layers.end(), layers.begin())) continue;
    const std::size_t times = layers.size() / period;
    std::string text = fmt::format("{}*({})", times, runs_text(layers.first(period)));
    if (times * period < layers.size()) text += "," + runs_text(layers.subspan(times * period));
    return text.size() < best.size() ? text : best;
  }
  return best;
}

/// The sizes that most attending layers have.
ModelLayer usual_layer(const LayerSchedule& schedule) {
  std::map<std::string, std::pair<Index, const ModelLayer*>> counts;
  const std::pair<Index, const ModelLayer*>* most = nullptr;
  for (const ModelLayer& layer : schedule.layers) {
    if (!attends(layer)) continue;
    auto& count = counts[sizes_text(layer, {})];
    count = {count.first + 1, &layer};
    if (!most || count.first > most->first) most = &count;
  }
  return most ? *most->second : ModelLayer{};
}

std::string rope_text(const LayerRope& rope) {
  const ParameterValues usual = rope_scaling_values({}), values = rope_scaling_values(rope.scaling);
  std::string text = "; rope";
  if (rope.pair_layout != PairLayout::half_split) text += fmt::format(" {}", name_of(rope.pair_layout));
  for (const auto& [name, value] : values.map())
    if (name == "rope_theta" || value != *usual.find(name)) text += fmt::format(" {}={}", name, format_value(value));
  return text;
}

constexpr std::size_t fewest_runs = 4;  // runs; fewer are listed

std::vector<Range> runs_of(const std::vector<Index>& numbers) {
  std::vector<Range> runs;
  for (const Index number : numbers) {
    if (!runs.empty() && runs.back().end == number)
      ++runs.back().end;
    else
      runs.push_back({number, number + 1});
  }
  return runs;
}

std::string run_text(Range run) {
  return run.size() == 1 ? to_text(run.begin) : fmt::format("{}-{}", run.begin, run.end - 1);
}

/// The number of runs from `first` on that have the same length and the same distance.
std::size_t regular_runs(const std::vector<Range>& runs, std::size_t first) {
  std::size_t end = first + 1;
  while (end < runs.size() && runs[end].size() == runs[first].size() &&
         runs[end].begin - runs[end - 1].begin == runs[first + 1].begin - runs[first].begin)
    ++end;
  return end - first;
}

}  // namespace

std::string layers_text(const LayerSchedule& schedule) {
  const ModelLayer usual = usual_layer(schedule);
  std::vector<std::string> layers;
  for (const ModelLayer& layer : schedule.layers) layers.push_back(layer_text(layer, usual));
  std::string text = repeated_text(layers);
  if (const std::string sizes = sizes_text(usual, {}); !sizes.empty()) text += "; all" + sizes;
  for (const LayerRope& rope : schedule.ropes) text += rope_text(rope);
  return text;
}

std::string layer_numbers_text(const std::vector<Index>& numbers, std::size_t most) {
  const auto runs = runs_of(numbers);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < runs.size();) {
    const std::size_t count = regular_runs(runs, i);
    if (count < fewest_runs) {
      parts.push_back(run_text(runs[i++]));
      continue;
    }
    parts.push_back(
        fmt::format("{}, {}, …, {}", run_text(runs[i]), run_text(runs[i + 1]), run_text(runs[i + count - 1])));
    i += count;
  }
  if (most > 1 && parts.size() > most) {
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(most) - 1, parts.end() - 1);
    parts.insert(parts.end() - 1, "…");
  }
  return join(parts, ", ");
}

std::string named_layers(const std::vector<Index>& numbers) {
  const std::string listed = layer_numbers_text(numbers, 4);
  if (numbers.size() == 1) return "layer " + listed;
  const bool whole = listed.find("…") == std::string::npos;
  return whole ? "layers " + listed : fmt::format("layers {} ({} layers)", listed, numbers.size());
}

}  // namespace vqscope
