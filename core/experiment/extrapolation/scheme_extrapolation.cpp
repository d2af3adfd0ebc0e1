// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/scheme_extrapolation.h"

#include "core/base/sentence.h"
#include "core/curve/rope/rope_series.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/experiment/study/codebook_scheme.h"
#include "core/method/shared/published.h"

#include <optional>

namespace vqscope {
namespace {

/// Whether the measure depends on the bias.
bool measures_attention(const ParameterValues& values) {
  const auto& measure = values.choice("measure");
  return measure == "total_variation" || measure == "output_error";
}

/// A quarter and a half of the training length, then that length and its doublings.
std::vector<double> measured_lengths(Index trained, Index longest) {
  std::vector<double> all{static_cast<double>(trained / 4), static_cast<double>(trained / 2)};
  for (const double length : powers_of_two(1, longest / trained)) all.push_back(length * static_cast<double>(trained));
  return all;
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
          .formula = fmt::format("codewords are learnt on keys at positions below the training length, rotated by "
                                 "plain RoPE or not at all; at T tokens the scaling is set up for T, queries and keys "
                                 "are rotated, and keys are quantised; commit loss and codes are those of the last "
                                 "keys, as many as the training length; attention of the last {} queries over all T "
                                 "keys; {}",
                                 CodebookScheme::most_queries, vq_measured),
          .log_x = true,
          .exact = false};
}

/// Measures seed by seed: for each seed all schemes, for each scheme all lengths.
class SchemeExtrapolation {
 public:
  SchemeExtrapolation(const ParameterValues& values, const VqSetting& setting, ComparedBiases biases, const Work& work)
      : m_values(values),
        m_setting(setting),
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
  const VqSetting& m_setting;
  ComparedBiases m_biases;
  const Work& m_work;
  std::vector<BiasedScheme> m_schemes;
  std::vector<double> m_lengths;
  std::vector<SeedMeasures> m_measures;  ///< by variant
  double m_steps = 1;                    ///< total number of tokens to measure
  double m_done = 0;
};

}  // namespace

std::vector<std::string> compared_biases(const ParameterValues& values) {
  const auto& chosen = values.choices("biases");
  return chosen.empty() || !measures_attention(values) ? std::vector{values.choice("bias")} : chosen;
}

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

Index trained_length(const ParameterValues& values) { return values.integer("original_max_position_embeddings"); }

Result<CurveSet> extrapolate_schemes(const ParameterValues& values, const VqSetting& setting, ComparedBiases biases,
                                     const Work& work) {
  return SchemeExtrapolation(values, setting, std::move(biases), work).run();
}

}  // namespace vqscope
