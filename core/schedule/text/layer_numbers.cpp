// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/text/layer_numbers.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

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
