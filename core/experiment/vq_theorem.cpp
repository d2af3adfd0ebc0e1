// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/attention/codebook/code_use.h"
#include "core/base/text.h"
#include "core/base/work.h"
#include "core/experiment/setting/other_codes.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <numeric>

namespace vqscope {
namespace {

std::string map_help(CodeChoice choice) {
  switch (choice) {
    case CodeChoice::nearest: return "the nearest codeword: vector quantisation";
    case CodeChoice::second_nearest: return "the second nearest codeword";
    case CodeChoice::random: break;
  }
  return "a random codeword";
}

std::vector<ParameterSpec> vq_theorem_parameters() {
  auto specs = vq_parameters({"q_length", "block_len", "d_v", "n_code", "k_tensor"});
  specs.push_back(n_code_max_parameter());
  add_parameter(specs, "pairs", "Data", "Number of query–key pairs averaged over.",
                {.default_value = Index{4096}, .minimum = 1, .maximum = 1048576, .logarithmic = true});
  add_parameter(specs, "side", "VQ attention", "Both sides of the theorem, or their ratio.",
                {.label = "Draw",
                 .default_value = std::string("both"),
                 .choices = {{"both", "the error of the scores, and σ² times the error of the keys"},
                             {"ratio", "the first over the second: 1 if the theorem's conditions hold"}}});
  ParameterSpec maps =
      make_parameter("maps", "VQ attention",
                     "Maps from keys to codewords. The theorem holds for each; the nearest codeword "
                     "has the least error (corollary 2.3).",
                     {.default_value = std::vector<std::string>{"nearest", "second_nearest", "random"}});
  for (const CodeChoice choice : code_choices) maps.choices.push_back({std::string(name_of(choice)), map_help(choice)});
  specs.push_back(std::move(maps));
  return specs;
}

/// A setting with a token for each pair and the smallest possible values.
VqSetting setting_of_pairs(const ParameterValues& values) {
  VqSetting setting = drawn_vq_setting(values);
  setting.q_length = values.integer("pairs");
  setting.d_v = 1;
  return setting;
}

Result<void> check_vq_theorem(const ParameterValues& values) {
  if (auto chosen = check_chosen(values, "maps"); !chosen) return chosen;
  return check_vq_setting(setting_of_pairs(values), "pairs", "n_code_max");
}

std::vector<CodeChoice> chosen_maps(const ParameterValues& values) {
  std::vector<CodeChoice> maps;
  for (const CodeChoice choice : code_choices)
    if (std::ranges::count(values.choices("maps"), name_of(choice)) > 0) maps.push_back(choice);
  return maps;
}

/// The errors of each map with a codebook of one size.
Result<std::vector<ScoreError>> measure(const VqSetting& setting, const VqData& data,
                                        const std::vector<CodeChoice>& maps, const Work& work) {
  const auto learnt = learn_vq(setting, matrix_of(data.train, data.d_k), work);
  if (!learnt) return learnt.error();
  const StridedMatrix keys = matrix_of(data.keys, data.d_k), codewords = matrix_of(learnt->codewords, data.d_k);
  const auto quantised = quantise(keys, codewords, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  std::vector<ScoreError> errors;
  for (const CodeChoice map : maps) {
    const auto codes = chosen_codes(map, keys, codewords, quantised.codes, setting.keys.seed, work.stop);
    if (work.stop.stop_requested()) return cancelled();
    const auto rows = codewords_of(codes, codewords);
    errors.push_back(score_error(matrix_of(data.queries, data.d_k), keys, matrix_of(rows, data.d_k), work.stop));
    if (work.stop.stop_requested()) return cancelled();
  }
  return errors;
}

/// Curves of one map; those of VQ have no suffix.
struct MapCurves {
  explicit MapCurves(CodeChoice map) {
    const std::string suffix = map == CodeChoice::nearest ? "" : "_" + std::string(name_of(map));
    scores.name = "of_scores" + suffix;
    keys.name = "of_keys" + suffix;
    ratio.name = "ratio" + suffix;
  }
  void add(const ScoreError& error) {
    scores.y.push_back(error.of_scores);
    keys.y.push_back(error.of_keys);
    ratio.y.push_back(error.ratio);
  }
  Curve scores, keys, ratio;
};

/// How many times as large as the nearest's the error of scores of each other map is, with the
/// largest codebook.
void add_map_facts(CurveSet& set, const std::vector<CodeChoice>& maps, const std::vector<MapCurves>& curves) {
  if (maps.front() != CodeChoice::nearest) return;
  for (std::size_t i = 1; i < maps.size(); ++i)
    set.facts.emplace_back(std::string(name_of(maps[i])) + "_over_nearest",
                           curves[i].scores.y.back() / curves[0].scores.y.back());
}

Result<CurveSet> make_vq_theorem(const ParameterValues& values, const Work& work) {
  VqSetting setting = setting_of_pairs(values);
  const bool ratio = values.choice("side") == "ratio";
  CurveSet set{.x_name = "n_code",
               .x_title = "codewords S",
               .y_title = ratio ? "error of scores / σ² · error of keys" : "mean squared error",
               .formula =
                   "error of scores: mean of (q·k − q·k̂)²; of keys: σ² times the mean of |k − k̂|², σ² the mean of "
                   "|q|² / d_k; they are equal for isotropic queries; queries normalised by LayerNorm "
                   "are isotropic only in d_k − 1 dimensions, so the ratio is d_k / (d_k − 1); " +
                   vq_measured,
               .log_x = true,
               .log_y = !ratio,
               .x = powers_of_two(1, setting.n_code),
               .exact = false};
  const VqData data = draw_vq(setting, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  const auto maps = chosen_maps(values);
  std::vector<MapCurves> curves(maps.begin(), maps.end());
  // The work of a size is about proportional to it.
  const double all_codes = std::accumulate(set.x.begin(), set.x.end(), 0.0);
  double codes_before = 0;
  for (const double n_code : set.x) {
    setting.n_code = static_cast<Index>(n_code);
    const auto errors = measure(setting, data, maps, part_of(work, codes_before / all_codes, n_code / all_codes));
    if (!errors) return errors.error();
    for (std::size_t i = 0; i < maps.size(); ++i) curves[i].add((*errors)[i]);
    codes_before += n_code;
  }
  const auto d = static_cast<double>(setting.d_k);
  const double expected = setting.norm == QueryKeyNorm::layer_norm ? d / (d - 1) : 1;
  set.facts = {{"ratio", curves.front().ratio.y.back()}, {"expected_ratio", expected}};
  add_map_facts(set, maps, curves);
  if (ratio) {
    for (MapCurves& each : curves) set.curves.push_back(std::move(each.ratio));
    set.levels = {{expected, setting.norm == QueryKeyNorm::layer_norm ? "d_k / (d_k − 1)" : "isotropic queries"}};
  } else {
    for (MapCurves& each : curves) {
      set.curves.push_back(std::move(each.scores));
      set.curves.push_back(std::move(each.keys));
    }
  }
  return set;
}

}  // namespace

Method vq_theorem_2_2_method() {
  return {.id = "vq_theorem_2_2",
          .title = "Theorem 2.2 measured",
          .help =
              "Is the error of scores proportional to that of keys, and least with the nearest codeword? Tests "
              "theorem 2.2 and corollary 2.3.",
          .citation = vq_citation("theorem 2.2, corollary 2.3"),
          .parameters = vq_theorem_parameters(),
          .check = check_vq_theorem,
          .recipe = CurveRecipe{.make = make_vq_theorem, .origin = CurveOrigin::measured}};
}

}  // namespace vqscope
