// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/vq_table.h"

#include "core/base/sentence.h"
#include "core/experiment/measure/published_throughput.h"
#include "core/experiment/measure/vq_table_parameters.h"
#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vqscope {
namespace {

constexpr std::array<Index, 4> lengths_of_the_paper{2048, 8192, 32768, 131072};

CurveSet vq_table_described(const ParameterValues& values) {
  const bool speed_up = values.choice("quantity") == "speed_up";
  const std::string num_heads = to_text(values.integer("num_heads"));
  return {
      .x_name = "length",
      .x_title = "sequence length T (tokens)",
      .y_title = speed_up ? "speed-up of VQ over full attention" : "tokens per second",
      .formula = fmt::format(
          "full: softmax(Q Kᵀ) V block by block up to the diagonal; VQ: theorem 3.7, including finding codewords; "
          "attention only, forward, causal, without a bias, on the same synthetic tokens; shga: one head with {} "
          "value dimensions and a gate, mqa and mha: {} heads with as many in total; {}, float32, median of {}; "
          "skips what is expected to take more than {} s or needs more than 1 GiB with its tokens; published values "
          "are for training whole models on other machines; {}",
          values.integer("d_v"), num_heads, machine_text(values.integer("threads")), values.integer("repeats"),
          plain_text(values.real("most_seconds")), vq_measured),
      .log_x = true,
      .log_y = true,
      .x = table_lengths(values.integer("length_max")),
      .published = published_throughput(speed_up, values.choices("head_types"), values.choices("reductions")),
      .exact = false};
}

/// Names in the order of the rates of all rows; full attention has a curve only for tokens per
/// second.
void name_curves(const ParameterValues& values, CurveSet& set) {
  const bool speed_up = values.choice("quantity") == "speed_up";
  for (const auto& type : values.choices("head_types")) {
    if (!speed_up) set.curves.push_back({"full_" + type, {}});
    for (const auto& reduction : values.choices("reductions"))
      set.curves.push_back({fmt::format("{}{}_{}", speed_up ? "" : "vq_", type, reduction), {}});
  }
}

/// Adds the times of one head type at one length to the curves from `curve` on and advances it past
/// them.
void add_rates(CurveSet& set, const std::vector<Spread>& seconds, double length, bool speed_up, std::size_t& curve) {
  for (std::size_t i = speed_up ? 1 : 0; i < seconds.size(); ++i)
    add_spread(set, curve++, speed_up ? ratio_of(seconds[0], seconds[i]) : amount_by(length, seconds[i]));
}

void add_facts(const ParameterValues& values, CurveSet& set) {
  if (values.choice("quantity") == "speed_up")
    for (std::size_t i = 0; i < set.bands.size(); ++i) {
      const Curve& curve = set.curves[i];
      const auto last = std::find_if(curve.y.rbegin(), curve.y.rend(), [](double y) { return !std::isnan(y); });
      set.facts.emplace_back("speed_up_" + curve.name, last == curve.y.rend() ? no_value : *last);
    }
  set.facts.emplace_back("threads", static_cast<double>(values.integer("threads")));
}

Result<CurveSet> make_vq_table(const ParameterValues& values, const Work& work) {
  const bool speed_up = values.choice("quantity") == "speed_up";
  CurveSet set = vq_table_described(values);
  set.published->y_title = set.y_title;  // the same quantity: one axis
  name_curves(values, set);
  add_spread_curves(set);
  std::vector<HeadThroughput> rows;
  for (const auto& type : values.choices("head_types"))
    rows.emplace_back(table_shape(values, type), table_setting(values));
  double all = 0;
  for (const double length : set.x) all += length * static_cast<double>(rows.size());
  double done = 0;
  for (const double length : set.x) {
    std::size_t curve = 0;
    for (HeadThroughput& row : rows) {
      if (work.stop.stop_requested()) return cancelled();
      const auto progress = [&](double part) { work.report((done + part * length) / all); };
      const auto seconds = row.at(static_cast<Index>(length), {.progress = progress, .stop = work.stop});
      if (!seconds) return seconds.error();
      add_rates(set, *seconds, length, speed_up, curve);
      done += length;
      if (work.partial) work.partial(set);
    }
  }
  add_facts(values, set);
  mark_skipped(set, fmt::format("above {} s or 1 GiB", plain_text(values.real("most_seconds"))));
  return set;
}

}  // namespace

std::vector<double> table_lengths(Index last) {
  assert(last > 0);
  std::vector<double> lengths;
  for (const Index length : lengths_of_the_paper)
    if (length < last) lengths.push_back(static_cast<double>(length));
  lengths.push_back(static_cast<double>(last));
  return lengths;
}

Method vq_table_method() {
  return {.id = "vq_table",
          .title = "Throughput as in tables 6 to 9",
          .help = "Speed-up of VQ attention over full attention on this machine, by head type and reduction.",
          .citation = vq_citation("appendix B, tables 6 to 9"),
          .parameters = vq_table_parameters(),
          .check = check_vq_table,
          .recipe = CurveRecipe{
              .make = make_vq_table, .origin = CurveOrigin::measured, .clocked = true, .related = {"vq_throughput"}}};
}

}  // namespace vqscope
