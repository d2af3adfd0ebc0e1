// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/report_output.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

/// The numbers in the lists of a view.
std::size_t listed_numbers(const ConfigView& view) {
  std::size_t count = 0;
  for (const auto& [name, value] : view.values.map()) {
    if (const auto* whole = std::get_if<std::vector<Index>>(&value)) count += whole->size();
    if (const auto* real = std::get_if<std::vector<double>>(&value)) count += real->size();
  }
  return count;
}

}  // namespace

bool ListBudget::takes(std::size_t count) {
  all += count;
  const bool fits = count <= left;
  if (fits)
    left -= count;
  else
    cut += count;
  return fits;
}

void ListBudget::append_to(std::vector<std::string>& sentences) const {
  if (cut > 0) sentences.push_back(fmt::format("{} of {} {} are left out", cut, all, what));
}

std::vector<std::string> shorten_lists(ConfigReport& report) {
  ListBudget findings{"findings", 256}, keys{"keys", 512}, kinds{"kinds of layers", 64},
      layers{"layers of schedule", 512};
  ListBudget ropes{"ropes", 16}, pairs{"pairs of ropes", 1024}, numbers{"frequencies of implementations", 4096};
  ListBudget views{"views", 16}, facts{"facts of readers", 128};
  findings.shorten(report.findings);
  keys.shorten(report.keys);
  kinds.shorten(report.layers);
  layers.shorten(report.schedule.layers);
  ropes.shorten(report.ropes);
  for (RopeUse& use : report.ropes) {
    pairs.shorten(use.pairs);
    for (auto& each : use.implementations)
      if (!numbers.takes(each.inv_freq.size())) each.inv_freq.clear();
  }
  std::size_t listed = 0;
  const auto long_view = [&](const ConfigView& view) { return (listed += listed_numbers(view)) > 4096; };
  const std::size_t given = report.views.size();
  std::erase_if(report.views, long_view);
  views.shorten(report.views);
  views.cut += given - views.all;
  views.all = given;
  facts.shorten(report.readers.rows);
  std::vector<std::string> sentences;
  for (const ListBudget& each : {findings, keys, kinds, layers, ropes, pairs, numbers, views, facts})
    each.append_to(sentences);
  return sentences;
}

}  // namespace vqscope
