// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/experiment/memory/memory_setting.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index most_read_pairs = 64;

/// The setting for each head_dim; only one with the user's tensors.
std::vector<MemorySetting> settings_of(const MemorySetting& setting, const ParameterValues& values) {
  if (setting.tokens) return {setting};
  std::vector<MemorySetting> all;
  for (const Index d_k : values.integers("head_dims")) {
    all.push_back(setting);
    all.back().d_k = d_k;
  }
  return all;
}

/// Mean of the read-outs of some of the first `pairs` pairs, which are stored in segments.
Result<ReadOut> mean_read_out(MemorySetting setting, const MemoryTokens& tokens, Index pairs, InfiniRule rule,
                              const std::stop_token& stop) {
  setting.q_length = pairs;
  InfiniMemory memory(tokens.d_k, tokens.d_v);
  for (Index segment = 0; segment < segments_of(setting); ++segment)
    store_segment(setting, tokens, segment, rule, stop, memory);
  if (stop.stop_requested()) return cancelled();
  const Index read = std::min(pairs, most_read_pairs);
  ReadOut mean;
  for (Index i = 0; i < read; ++i) {
    const Index pair = i * pairs / read;
    const ReadOut one =
        read_out(memory, tokens.keys.data() + pair * tokens.d_k, tokens.values.data() + pair * tokens.d_v);
    mean.error += one.error / static_cast<double>(read);
    mean.cosine += one.cosine / static_cast<double>(read);
  }
  return mean;
}

CurveSet empty_capacity_set(const ParameterValues& values, const std::vector<MemorySetting>& settings) {
  const bool error = values.choice("capacity_quantity") == "error";
  CurveSet set{.x_name = "pairs",
               .x_title = "pairs stored",
               .y_title = error ? "|read − v| / |v|" : "cosine of read and v",
               .formula = fmt::format("read: what the memory returns for a stored key with value v; mean over up to {} "
                                      "stored pairs; {}",
                                      most_read_pairs, memory_measured),
               .log_x = true,
               .x = powers_of_two(1, values.integer("q_length")),
               .exact = false};
  for (const MemorySetting& setting : settings) {
    set.marks.push_back({static_cast<double>(setting.d_k), fmt::format("d_k {}", setting.d_k)});
    for (const auto& rule : values.choices("rules"))
      set.curves.push_back({fmt::format("{}_d_k_{}", rule, setting.d_k), {}});
  }
  if (error) set.levels = {{1, "nothing remembered"}};
  return set;
}

Result<CurveSet> make_capacity(const ParameterValues& values, const Work& work) {
  const auto setting = memory_setting(values);
  if (!setting) return setting.error();
  const auto settings = settings_of(*setting, values);
  const auto& rules = values.choices("rules");
  CurveSet set = empty_capacity_set(values, settings);
  std::vector<MemoryTokens> tokens;
  for (const MemorySetting& each : settings) tokens.push_back(memory_tokens(each, work.stop));
  if (work.stop.stop_requested()) return cancelled();
  for (const double pairs : set.x) {
    for (std::size_t curve = 0; curve < set.curves.size(); ++curve) {
      const std::size_t which = curve / rules.size();
      const auto read = mean_read_out(settings[which], tokens[which], static_cast<Index>(pairs),
                                      infini_rule(rules[curve % rules.size()]), work.stop);
      if (!read) return read.error();
      set.curves[curve].y.push_back(values.choice("capacity_quantity") == "error" ? read->error : read->cosine);
    }
    // Work is proportional to the number of pairs, which doubles: half of it is the last point.
    work.report(pairs / set.x.back());
    if (work.partial) work.partial(set);
  }
  return set;
}

Result<void> check_capacity(const ParameterValues& values) {
  if (auto checked = check_memory(values); !checked) return checked;
  if (auto checked = check_chosen(values, "rules"); !checked) return checked;
  const auto setting = memory_setting(values, false);
  if (!setting) return setting.error();
  const auto settings = settings_of(*setting, values);
  if (settings.empty()) return invalid("head_dims is empty but must name one at least");
  double bytes = 0;
  for (const MemorySetting& each : settings)
    bytes += 4 * static_cast<double>(each.q_length) * static_cast<double>(2 * each.d_k + each.d_v);
  return check_memory_bytes(
      fmt::format("q_length {}, {} head_dims and d_v {}", setting->q_length, settings.size(), setting->d_v), bytes);
}

std::vector<ParameterSpec> capacity_parameters() {
  auto specs = infini_parameters();
  std::erase_if(specs, [](const ParameterSpec& spec) {
    return spec.name == "d_k" || spec.name == "match_cosine" || spec.name == "q_tensor";
  });
  specs.push_back(query_heads_parameter());
  ParameterSpec& pairs = spec_of(specs, "q_length");
  pairs.label = "Pairs";
  pairs.short_label = "pairs";
  pairs.help = "Largest number of stored pairs of a key and a value; the others are powers of two.";
  add_parameter(specs, "head_dims", "Memory", "Head sizes d_k to compare.",
                {.label = "Head sizes",
                 .default_value = std::vector<Index>{16, 64, 256},
                 .minimum = 2,
                 .maximum = 512,
                 .relevant = {{"data", {"planted"}}},
                 .most_items = 8});
  specs.push_back(infini_rules_parameter());
  add_parameter(specs, "capacity_quantity", "Curve", "Quantity to plot for each number of pairs.",
                {.label = "Capacity as",
                 .default_value = std::string("error"),
                 .choices = {{"error", "distance between what is read and the stored value, divided by its length"},
                             {"cosine", "cosine between what is read and the stored value"}}});
  return specs;
}

}  // namespace

Method infini_capacity_method() {
  return {.id = "infini_capacity",
          .title = "Capacity of Infini-attention",
          .help =
              "Error of what a compressive memory returns, by number of stored pairs. The memory is asked for its own "
              "keys.",
          .citation = infini_citation(),
          .parameters = capacity_parameters(),
          .check = check_capacity,
          .recipe = CurveRecipe{.make = make_capacity, .origin = CurveOrigin::measured}};
}

}  // namespace vqscope
