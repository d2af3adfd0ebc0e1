// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/position_tests.h"

#include "core/base/sentence.h"
#include "core/experiment/extrapolation/studies.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Of the windows: each test reads all of their tokens.
constexpr Index most_rows = 32;

/// Each token is labelled with the next at positions above `above` and up to `last`, counted from 1.
TokenBatch labelled_span(const TokenBatch& windows, Index above, Index last) {
  const Index rows = std::min(windows.rows, most_rows);
  TokenBatch batch{.rows = rows, .length = windows.length};
  const auto end = windows.tokens.begin() + rows * windows.length;
  batch.tokens.assign(windows.tokens.begin(), end);
  batch.labels.assign(batch.tokens.size(), ignored_label);
  for (Index row = 0; row < rows; ++row)
    for (Index position = above + 1; position <= last; ++position) {
      const auto at = static_cast<std::size_t>(row * windows.length + position - 1);
      batch.labels[at] = position == windows.length ? windows.labels[at] : windows.tokens[at + 1];
    }
  return batch;
}

}  // namespace

std::vector<Index> position_spans(const ParameterValues& values) {
  std::vector<Index> spans = context_lengths(values);
  for (Index last = spans.front() / 2; last > 0; last /= 2) spans.insert(spans.begin(), last);
  return spans;
}

void add_position_tests(VariantStudy& study, std::size_t longest, const std::vector<Index>& spans) {
  const std::size_t before = study.lengths.size();
  study.lengths.insert(study.lengths.end(), spans.size(), study.lengths[longest]);
  study.test = [test = study.test, before, longest, spans](std::size_t i) -> Result<TokenBatch> {
    if (i < before) return test(i);
    const auto windows = test(longest);
    if (!windows) return windows.error();
    return labelled_span(*windows, i == before ? 0 : spans[i - before - 1], spans[i - before]);
  };
  study.test_name = [name = study.test_name, before, spans](std::size_t i) {
    if (i < before) return name ? name(i) : std::string();
    return fmt::format("positions up to {} of {}", spans[i - before], name ? name(0) : std::string());
  };
}

}  // namespace vqscope
