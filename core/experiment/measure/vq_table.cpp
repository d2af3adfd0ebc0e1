// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/throughput_tables.h"

#include "core/attention/run/attention_run.h"
#include "core/base/sentence.h"
#include "core/experiment/measure/skipped_points.h"
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
void add_rates(CurveSet& set, const std::vector<Spread>& seconds, double length, bool speed_up, std::size_t& curve,
               SkippedPoints& skipped) {
  for (std::size_t i = speed_up ? 1 : 0; i < seconds.size(); ++i) {
    const bool by_full = speed_up && seconds[0].skipped != Skipped::no;
    skipped.add(set.curves[curve].name, length, seconds[by_full ? 0 : i].skipped);
    add_spread(set, curve++, speed_up ? ratio_of(seconds[0], seconds[i]) : amount_by(length, seconds[i]));
  }
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
  SkippedPoints skipped(plain_text(values.real("most_seconds")) + " s", "1 GiB");
  for (const double length : set.x) {
    std::size_t curve = 0;
    for (HeadThroughput& row : rows) {
      if (work.stop.stop_requested()) return cancelled();
      const auto progress = [&](double part) { work.report((done + part * length) / all); };
      const auto seconds = row.at(static_cast<Index>(length), {.progress = progress, .stop = work.stop});
      if (!seconds) return seconds.error();
      add_rates(set, *seconds, length, speed_up, curve, skipped);
      done += length;
      if (work.partial) work.partial(set);
    }
  }
  add_facts(values, set);
  skipped.mark(set);
  return set;
}

constexpr double most_token_bytes = 1.0 * 1024 * 1024 * 1024;

std::vector<ParameterSpec> what_is_compared() {
  return {make_parameter("head_types", "Table",
                         "Head types, each a row of the paper's table. The total output width is the same for all.",
                         {.default_value = std::vector<std::string>{"shga", "mqa", "mha"},
                          .choices = {{"shga", "one gated head"},
                                      {"mqa", "num_heads query heads, one key/value head"},
                                      {"mha", "num_heads query, key and value heads"}}}),
          make_parameter("reductions", "Table",
                         "Reductions that compute the cache of each block; each is a table of the paper.",
                         {.default_value = std::vector<std::string>{"serial_scan"},
                          .choices = {{"serial_scan", "one block after the other, table 6"},
                                      {"matmul", "by a matrix product, table 7"},
                                      {"associative_scan", "merged pair by pair, table 8"},
                                      {"input_scan", "everything computed one block at a time, table 9"}}}),
          make_parameter("quantity", "Table", "Quantity to plot.",
                         {.default_value = std::string("speed_up"),
                          .choices = {{"speed_up", "time of full attention / time of VQ attention"},
                                      {"tokens_per_second", "tokens per second of full and of VQ attention"}}})};
}

/// Sizes of the paper's models, except for a smaller d_v to measure faster.
std::vector<ParameterSpec> sizes() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : vq_parameters({"k_tensor"}))
    for (const auto& [name, default_value] : {std::pair{"n_code", 512}, {"block_len", 512}, {"d_k", 128}, {"d_v", 512}})
      if (spec.name == name) {
        spec.default_value = Index{default_value};
        spec.relevant.clear();
        specs.push_back(std::move(spec));
        break;
      }
  auto& d_v = spec_of(specs, "d_v");
  d_v.help = "Total value dimensions over all heads; 1536 and 4096 in the paper's models.";
  d_v.maximum = 4096;
  add_parameter(specs, "num_heads", "VQ attention",
                "Number of heads of mqa and mha, each with d_v / num_heads value dimensions.",
                {.default_value = Index{4}, .minimum = 1, .maximum = 64});
  return specs;
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
          .help = "Speed-up of VQ attention over full attention, by head type and reduction. Measured on this machine.",
          .citation = vq_citation("appendix B, tables 6 to 9"),
          .parameters = vq_table_parameters(),
          .check = check_vq_table,
          .recipe = CurveRecipe{
              .make = make_vq_table, .origin = CurveOrigin::measured, .clocked = true, .related = {"vq_throughput"}}};
}

std::vector<ParameterSpec> vq_table_parameters() {
  auto specs = what_is_compared();
  specs.push_back(length_max_parameter());
  specs.back().help = "Longest sequence of those in the paper's tables: 2048, 8192, 32768, 131072.";
  specs.back().default_value = Index{8192};
  specs.back().maximum = 131072;
  for (auto& spec : sizes()) specs.push_back(std::move(spec));
  specs.push_back(threads_parameter());
  specs.push_back(repeats_parameter());
  specs.push_back(most_seconds_parameter());
  for (auto& spec : vq_parameters({"k_tensor"}))
    if (spec.name == "seed") specs.push_back(std::move(spec));
  return specs;
}

Result<void> check_vq_table(const ParameterValues& values) {
  const Index num_heads = values.integer("num_heads");
  const Index d_v = values.integer("d_v");
  if (d_v % num_heads != 0) return invalid("d_v is {} but must be a multiple of num_heads = {}", d_v, num_heads);
  const Index length = values.integer("length_max");
  for (const auto& type : values.choices("head_types")) {
    const double bytes = head_tokens_bytes(table_shape(values, type), length, values.integer("n_code"));
    if (bytes > most_token_bytes)
      return invalid("length_max {} needs {} for queries, keys and values of {} but must be at most {}", length,
                     byte_count(bytes), type, byte_count(most_token_bytes));
  }
  return {};
}

HeadShape table_shape(const ParameterValues& values, const std::string& head_type) {
  return head_shape(head_type_of(head_type), values.integer("num_heads"), values.integer("d_k"), values.integer("d_v"));
}

ThroughputSetting table_setting(const ParameterValues& values) {
  ThroughputSetting setting{.n_code = values.integer("n_code"),
                            .seed = static_cast<std::uint64_t>(values.integer("seed")),
                            .options = {.block_len = values.integer("block_len"),
                                        .threads = static_cast<int>(values.integer("threads")),
                                        .memory_limit = most_token_bytes},
                            .reductions = {},
                            .most_seconds = values.real("most_seconds"),
                            .repeats = values.integer("repeats")};
  for (const auto& id : values.choices("reductions")) setting.reductions.push_back(reduction_of(id));
  return setting;
}

}  // namespace vqscope
