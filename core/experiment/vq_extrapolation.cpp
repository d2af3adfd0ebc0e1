// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/vq_extrapolation.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/sentence.h"
#include "core/curve/rope/rope_series.h"
#include "core/experiment/extrapolation/variant_curves.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/experiment/study/codebook_scheme.h"
#include "core/method/curve_set.h"
#include "core/method/shared/chosen.h"
#include "core/method/shared/x_unit.h"

#include <algorithm>
#include <map>
#include <optional>

namespace vqscope {
namespace {

constexpr Index most_length = 131072;

/// `biases`, the choices of `bias` as a list: a bias's own parameters serve both.
void add_compared_biases(std::vector<ParameterSpec>& specs) {
  const auto bias = std::ranges::find(specs, "bias", &ParameterSpec::name);
  ParameterSpec biases{.name = "biases",
                       .group = bias->group,
                       .help = "Biases to compare, each with a curve. Empty: the one of bias.",
                       .kind = ParameterKind::choice_set,
                       .fallback = std::vector<std::string>{},
                       .choices = bias->choices,
                       .relevant = {{"measure", {"total_variation", "output_error"}}}};
  for (auto& spec : specs)
    for (auto& relevance : spec.relevant)
      if (relevance.name == "bias") relevance.also = biases.name;
  specs.insert(bias + 1, std::move(biases));
}

void add_seed_count(std::vector<ParameterSpec>& specs) {
  const auto seed = std::ranges::find(specs, "seed", &ParameterSpec::name);
  const std::string group = seed->group;
  specs.insert(seed + 1, {.name = "seed_count",
                          .group = group,
                          .help = "Number of repetitions, each with a seed of its own: seed, seed + 1, …",
                          .fallback = Index{1},
                          .minimum = 1,
                          .maximum = 16});
}

std::vector<ParameterSpec> vq_extrapolation_parameters() {
  auto specs = biased_vq_parameters({"q_length", "codebook_tensor"});
  add_compared_biases(specs);
  add_seed_count(specs);
  for (auto& spec : rope_scaling_parameters())
    if (spec.name == "original_max_position_embeddings" || spec.name == "rope_theta") specs.push_back(std::move(spec));
  spec_of(specs, "d_k").minimum = 4;  // ntk has no value with one pair
  auto& trained = spec_of(specs, "original_max_position_embeddings");
  trained.help = "The codebook is learned on keys at positions below this.";
  trained.fallback = Index{256};
  trained.minimum = 4;
  trained.maximum = most_length;
  specs.push_back({.name = "reach",
                   .group = "RoPE",
                   .help = "Longest sequence, in multiples of the training length.",
                   .fallback = Index{16},
                   .minimum = 1,
                   .maximum = 64,
                   .logarithmic = true});
  specs.push_back({.name = "factor",
                   .group = "RoPE",
                   .help = "RoPE scaling factor of the schemes: expected length / training length.",
                   .kind = ParameterKind::real,
                   .fallback = 0.0,
                   .minimum = 0,
                   .maximum = 1024,
                   .automatic = "as long as it is, and 1 for dynamic"});
  std::vector<Choice> schemes{{unrotated, "no RoPE on keys: positions come from a bias, or there are none"}};
  for (const auto& type : rope_types()) schemes.push_back({type.id, type.help});
  specs.push_back({.name = "schemes",
                   .group = "RoPE",
                   .help = "Position schemes applied to queries and keys before quantisation.",
                   .kind = ParameterKind::choice_set,
                   .fallback = std::vector<std::string>{unrotated, "default", "linear", "dynamic", "yarn"},
                   .choices = std::move(schemes)});
  specs.push_back(
      {.name = "measure",
       .group = "Curve",
       .help = "Quantity measured over the last tokens of each sequence.",
       .kind = ParameterKind::choice,
       .fallback = std::string("output_error"),
       .choices = {
           {"commit_loss", "mean of |k − k̂|² over the last keys"},
           {"total_variation", "total variation between the quantised and exact attention weights of the last queries"},
           {"output_error", "|o − ô| / |o| of the last queries"},
           {"code_drift", "total variation between the code frequencies of the last keys and of the training keys"}}});
  specs.push_back(lines_parameter());
  specs.push_back(x_unit_parameter());
  return specs;
}

/// Whether the measure depends on the bias.
bool measures_attention(const ParameterValues& values) {
  const auto& measure = values.choice("measure");
  return measure == "total_variation" || measure == "output_error";
}

Index trained_length(const ParameterValues& values) { return values.integer("original_max_position_embeddings"); }

/// Biases are compared where attention is measured; else, and where none is chosen, there is the one of `bias`.
std::vector<std::string> compared_biases(const ParameterValues& values) {
  const auto& chosen = values.choices("biases");
  return chosen.empty() || !measures_attention(values) ? std::vector{values.choice("bias")} : chosen;
}

/// What vq_setting and the check of its sizes take for q_length.
ParameterValues with_length(ParameterValues values) {
  values.set("q_length", trained_length(values) * values.integer("reach"));
  return values;
}

/// A quarter and a half of the training length, then that length and its doubles.
std::vector<double> measured_lengths(Index trained, Index longest) {
  std::vector<double> all{static_cast<double>(trained / 4), static_cast<double>(trained / 2)};
  for (const double length : powers_of_two(1, longest / trained)) all.push_back(length * static_cast<double>(trained));
  return all;
}

Result<void> check_scalings(const ParameterValues& values, Index d_k, Index longest) {
  for (const auto& scheme : values.choices("schemes"))
    if (scheme != unrotated)
      if (auto checked = scaling_at(values, d_k, scheme, longest).check(); !checked) return checked;
  return {};
}

Result<void> check_vq_extrapolation(const ParameterValues& values) {
  if (auto checked = check_chosen(values, "schemes"); !checked) return checked;
  if (const Index length = with_length(values).integer("q_length"); length > most_length)
    return invalid("reach is {}, which makes {} tokens of the training length {}; at most {} are allowed",
                   values.integer("reach"), length, trained_length(values), most_length);
  if (const double factor = values.real("factor"); factor != 0 && factor < 1)
    return invalid("factor is {}, must be 0 or at least 1", plain_text(factor));
  const auto setting = vq_sizes(with_length(values));
  if (!setting) return setting.error();
  if (setting->d_k % 2 != 0) return invalid("d_k is {}, must be even", setting->d_k);
  if (auto checked = check_vq_setting(*setting, "original_max_position_embeddings times reach", "n_code"); !checked)
    return checked;
  for (const auto& id : compared_biases(values)) {
    ParameterValues with = values;
    with.set("bias", id);
    if (auto checked = ChosenBias::check(with, bias_shape(*setting)); !checked) return checked;
  }
  return check_scalings(values, setting->d_k, setting->q_length);
}

std::string y_title(const std::string& measure) {
  if (measure == "commit_loss") return "commit loss, mean of |k − k̂|²";
  if (measure == "total_variation") return "total variation of attention";
  return measure == "output_error" ? "output error |o − ô| / |o|" : "code drift (total variation)";
}

CurveSet vq_extrapolation_described(const ParameterValues& values) {
  return {.x_name = "length",
          .x_title = "sequence length T (tokens)",
          .y_title = y_title(values.choice("measure")),
          .formula = fmt::format("codewords are learnt on keys of positions below the training length, rotated by "
                                 "plain RoPE or not at all; at T tokens the scaling is set up for T and queries and "
                                 "keys are rotated, then keys quantised; commit loss and codes of the last keys, as "
                                 "many as the training length, attention of the last {} queries over all T keys; {}",
                                 CodebookScheme::most_queries, vq_measured),
          .log_x = true,
          .exact = false};
}

/// A line: a scheme with a bias.
struct BiasedScheme {
  std::string scheme;
  std::string bias;
  std::string title;  ///< what it differs in from the others
};

std::vector<BiasedScheme> biased_schemes(const ParameterValues& values) {
  const auto& schemes = values.choices("schemes");
  const auto biases = compared_biases(values);
  std::vector<BiasedScheme> variants;
  for (const auto& scheme : schemes)
    for (const auto& bias : biases) {
      const bool by_bias = schemes.size() == 1 && biases.size() > 1;
      const std::string title = by_bias ? bias : biases.size() == 1 ? scheme : fmt::format("{}, {}", scheme, bias);
      variants.push_back({scheme, bias, title});
    }
  return variants;
}

using ComparedBiases = std::map<std::string, std::shared_ptr<const ChosenBias>>;

Result<ComparedBiases> make_biases(const ParameterValues& values, const VqSetting& setting, const Work& work) {
  ComparedBiases made;
  for (const auto& id : compared_biases(values)) {
    ParameterValues with = values;
    with.set("bias", id);
    auto bias = ChosenBias::make(with, bias_shape(setting), work);
    if (!bias) return bias.error();
    made[id] = bias->none() ? nullptr : std::make_shared<const ChosenBias>(std::move(*bias));
  }
  return made;
}

/// What is measured, seed by seed: of each seed all schemes, of each scheme all lengths.
class SchemeExtrapolation {
 public:
  SchemeExtrapolation(const ParameterValues& values, VqSetting setting, ComparedBiases biases, const Work& work)
      : m_values(values),
        m_setting(std::move(setting)),
        m_biases(std::move(biases)),
        m_work(work),
        m_schemes(biased_schemes(values)),
        m_lengths(measured_lengths(trained_length(values), m_setting.q_length)) {
    const auto seeds = static_cast<std::size_t>(values.integer("seed_count"));
    m_measures.assign(m_schemes.size(), SeedMeasures(seeds, std::vector<double>(m_lengths.size(), no_value)));
    m_steps = static_cast<double>(seeds * m_schemes.size()) * m_lengths.back();
  }

  Result<CurveSet> run() {
    for (Index seed = 0; seed < m_values.integer("seed_count"); ++seed)
      if (auto measured = measure_seed(seed); !measured) return measured.error();
    CurveSet set = result();
    for (std::size_t i = 0; i < m_schemes.size(); ++i) {
      const double at_trained = mean_over_seeds(m_measures[i], 2),
                   at_longest = mean_over_seeds(m_measures[i], m_lengths.size() - 1);
      set.facts.emplace_back("over_trained_" + m_schemes[i].title, at_trained > 0 ? at_longest / at_trained : no_value);
    }
    return set;
  }

 private:
  Result<void> measure_seed(Index seed) {
    VqSetting setting = m_setting;
    setting.keys.seed += static_cast<std::uint64_t>(seed);
    const VqData data = draw_vq(setting, m_work.stop);
    std::string learnt_for;
    std::optional<CodebookScheme> scheme;
    for (std::size_t i = 0; i < m_schemes.size(); ++i) {
      if (m_work.stop.stop_requested()) return cancelled();
      if (m_schemes[i].scheme != learnt_for) {
        auto learnt = CodebookScheme::learn(m_values, setting, data, m_schemes[i].scheme, quiet());
        if (!learnt) return learnt.error();
        scheme.emplace(std::move(*learnt));
        learnt_for = m_schemes[i].scheme;
      }
      if (auto measured = measure_lengths(*scheme, i, m_measures[i][static_cast<std::size_t>(seed)]); !measured)
        return measured;
    }
    return {};
  }

  Result<void> measure_lengths(const CodebookScheme& scheme, std::size_t variant, std::vector<double>& y) {
    for (std::size_t i = 0; i < m_lengths.size(); ++i) {
      const auto measured = scheme.measure(static_cast<Index>(m_lengths[i]), m_values.choice("measure"),
                                           m_biases.at(m_schemes[variant].bias), quiet());
      if (!measured) return measured.error();
      if (m_work.stop.stop_requested()) return cancelled();
      y[i] = *measured;
      m_work.report((m_done + m_lengths[i]) / m_steps);
      if (m_work.partial) m_work.partial(result());
    }
    m_done += m_lengths.back();
    return {};
  }

  CurveSet result() const {
    const Index trained = trained_length(m_values);
    CurveSet set = vq_extrapolation_described(m_values);
    set.x = m_lengths;
    set.marks = {trained_mark(trained)};
    for (std::size_t i = 0; i < m_schemes.size(); ++i) add_variant(m_values, m_schemes[i].title, m_measures[i], set);
    apply_x_unit(m_values, trained, set);
    return set;
  }

  Work quiet() const { return {.progress = {}, .stop = m_work.stop}; }

  const ParameterValues& m_values;
  VqSetting m_setting;
  ComparedBiases m_biases;
  const Work& m_work;
  std::vector<BiasedScheme> m_schemes;
  std::vector<double> m_lengths;
  std::vector<SeedMeasures> m_measures;  ///< by variant
  double m_steps = 1;                    ///< tokens to measure in all
  double m_done = 0;
};

Result<CurveSet> make_vq_extrapolation(const ParameterValues& values, const Work& work) {
  auto setting = vq_setting(with_length(values), work);
  if (!setting) return setting.error();
  auto biases = make_biases(values, *setting, work);
  if (!biases) return biases.error();
  return SchemeExtrapolation(values, std::move(*setting), std::move(*biases), work).run();
}

}  // namespace

Method vq_extrapolation_method() {
  return {
      .id = "vq_extrapolation",
      .title = "Extrapolation of a codebook",
      .category = "experiments",
      .help =
          "Error on longer sequences of codewords learned on short ones, by position scheme. Lower beyond the training "
          "length is better.",
      .citation = {"Lingle 2023, Transformer-VQ, section 3; Su et al. 2021, RoFormer, section 3.2, and the papers of "
                   "the scalings",
                   "transformer-vq/transformer_vq, nn/vq.py; Hugging Face transformers, modeling_rope_utils.py"},
      .parameters = vq_extrapolation_parameters(),
      .check = check_vq_extrapolation,
      .remark = [](const ParameterValues& values, const Work& work) { return vq_remark(with_length(values), work); },
      .recipe = CurveRecipe{.make = make_vq_extrapolation,
                            .origin = CurveOrigin::measured,
                            .kernels = best_kernels().name,
                            .companions = {"vq_error_vs_length", "rope_phase_ood"}}};
}

}  // namespace vqscope
