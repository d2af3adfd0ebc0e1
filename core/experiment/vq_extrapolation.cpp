// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/vq_extrapolation.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/sentence.h"
#include "core/curve/rope/rope_series.h"
#include "core/encoding/phase/rope_table.h"
#include "core/experiment/setting/row_errors.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"
#include "core/method/shared/chosen.h"
#include "core/method/shared/x_unit.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_drawn_queries = 64;
constexpr Index most_length = 65536;
const std::string unrotated = "unrotated";

std::vector<ParameterSpec> vq_extrapolation_parameters() {
  auto specs = biased_vq_parameters({"q_length", "codebook_tensor"});
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
  specs.push_back(x_unit_parameter());
  return specs;
}

Index trained_length(const ParameterValues& values) { return values.integer("original_max_position_embeddings"); }

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

/// The scaling of a scheme as it is at a length.
RopeScaling scaling_at(const ParameterValues& values, Index d_k, const std::string& scheme, Index length) {
  RopeScaling scaling;
  scaling.rope_type = scheme;
  scaling.head_dim = d_k;
  scaling.rope_theta = values.real("rope_theta");
  scaling.original_max_position_embeddings = trained_length(values);
  scaling.seq_len = length;
  scaling.factor = values.real("factor");
  if (scaling.factor == 0 && scheme == "dynamic") scaling.factor = 1;  // it follows seq_len by itself
  if (scaling.factor == 0)
    scaling.factor = std::max(1.0, static_cast<double>(length) / static_cast<double>(trained_length(values)));
  return scaling;
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
  const BiasShape shape{.length = setting->q_length, .window = setting->block_len, .d_k = setting->d_k};
  if (auto checked = ChosenBias::check(values, shape); !checked) return checked;
  return check_scalings(values, setting->d_k, setting->q_length);
}

/// One scheme with the codebook that was learnt for it.
class Scheme {
 public:
  static Result<Scheme> make(const ParameterValues& values, const VqSetting& setting, const VqData& data,
                             std::string name, const Work& work) {
    Scheme scheme(values, setting, data, std::move(name));
    std::vector<float> train = data.train;
    const Index trained = trained_length(values);
    if (scheme.rotated()) rotate_rows(train, scaling_at(values, data.d_k, "default", trained), trained, work.stop);
    auto learnt = learn_vq(setting, matrix_of(train, data.d_k), work);
    if (!learnt) return learnt.error();
    scheme.m_codewords = std::move(learnt->codewords);
    scheme.m_trained =
        code_counts(quantise(matrix_of(train, data.d_k), scheme.codewords(), work.stop).codes, setting.n_code);
    if (work.stop.stop_requested()) return cancelled();
    return scheme;
  }

  Result<double> measure(Index length, const std::string& what, const Work& work) const {
    const auto keys = some(m_data.keys, length, work.stop);
    const Range last{std::max<Index>(length - trained_length(m_values), 0), length};
    if (what == "commit_loss")
      return quantise(rows_of(matrix_of(keys, m_data.d_k), last), codewords(), work.stop).commit_loss;
    const auto quantised = quantise(matrix_of(keys, m_data.d_k), codewords(), work.stop);
    if (what == "code_drift") {
      const std::vector<std::int32_t> codes(quantised.codes.begin() + last.begin, quantised.codes.end());
      return code_drift(m_trained, code_counts(codes, m_setting.n_code));
    }
    const auto queries = some(m_data.queries, length, work.stop);
    const auto rows =
        row_errors({matrix_of(queries, m_data.d_k), matrix_of(keys, m_data.d_k), matrix_of(quantised.keys, m_data.d_k),
                    rows_of(matrix_of(m_data.values, m_data.d_v), {0, length}), m_setting.bias},
                   {std::max<Index>(length - most_drawn_queries, 0), length}, work);
    if (!rows) return rows.error();
    const MeanError mean = mean_of(*rows);
    return what == "total_variation" ? mean.total_variation : mean.output_error;
  }

 private:
  Scheme(const ParameterValues& values, const VqSetting& setting, const VqData& data, std::string name)
      : m_values(values), m_setting(setting), m_data(data), m_name(std::move(name)) {}

  bool rotated() const { return m_name != unrotated; }
  StridedMatrix codewords() const { return matrix_of(m_codewords, m_data.d_k); }

  /// The first rows as the scheme has them in a sequence of that length.
  std::vector<float> some(const std::vector<float>& rows, Index length, const std::stop_token& stop) const {
    std::vector<float> first(rows.begin(), rows.begin() + length * m_data.d_k);
    if (rotated()) rotate_rows(first, scaling_at(m_values, m_data.d_k, m_name, length), length, stop);
    return first;
  }

  const ParameterValues& m_values;
  const VqSetting& m_setting;
  const VqData& m_data;
  std::string m_name;
  std::vector<float> m_codewords;
  std::vector<Index> m_trained;  ///< keys of each code
};

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
                                 most_drawn_queries, vq_measured),
          .log_x = true,
          .exact = false};
}

Result<CurveSet> make_vq_extrapolation(const ParameterValues& values, const Work& work) {
  const auto read = vq_setting(with_length(values), work);
  if (!read) return read.error();
  const VqSetting& setting = *read;
  const Index trained = trained_length(values);
  const auto& schemes = values.choices("schemes");
  const Work quiet{.progress = {}, .stop = work.stop};
  const std::vector<double> tokens = measured_lengths(trained, setting.q_length);
  CurveSet set = vq_extrapolation_described(values);
  set.x = tokens;
  set.marks = {trained_mark(trained)};
  for (const auto& name : schemes) set.curves.push_back({name, {}});
  apply_x_unit(values, trained, set);
  const VqData data = draw_vq(setting, work.stop);
  const auto all = static_cast<double>(schemes.size()) * tokens.back();
  double done = 0;
  for (auto& [name, y] : set.curves) {
    const auto scheme = Scheme::make(values, setting, data, name, quiet);
    if (!scheme) return scheme.error();
    for (const double length : tokens) {
      if (work.stop.stop_requested()) return cancelled();
      const auto measured = scheme->measure(static_cast<Index>(length), values.choice("measure"), quiet);
      if (!measured) return measured.error();
      if (work.stop.stop_requested()) return cancelled();
      y.push_back(*measured);
      work.report((done + length) / all);
      if (work.partial) work.partial(set);
    }
    done += tokens.back();
    const double at_trained = y[2];
    set.facts.emplace_back("over_trained_" + name, at_trained > 0 ? y.back() / at_trained : no_value);
  }
  return set;
}

/// x [2 · pairs], halves split.
void rotate_row(float* x, const float* cos, const float* sin, Index pairs) {
  for (Index i = 0; i < pairs; ++i) {
    const float first = x[i];
    const float second = x[i + pairs];
    x[i] = first * cos[i] - second * sin[i];
    x[i + pairs] = second * cos[i] + first * sin[i];
  }
}

}  // namespace

double code_drift(const std::vector<Index>& a, const std::vector<Index>& b) {
  assert(a.size() == b.size());
  double all_a = 0;
  double all_b = 0;
  for (std::size_t s = 0; s < a.size(); ++s) {
    all_a += static_cast<double>(a[s]);
    all_b += static_cast<double>(b[s]);
  }
  double apart = 0;
  for (std::size_t s = 0; s < a.size(); ++s)
    apart += std::abs(static_cast<double>(a[s]) / all_a - static_cast<double>(b[s]) / all_b);
  return apart / 2;
}

void rotate_rows(std::vector<float>& rows, const RopeScaling& scaling, Index period, const std::stop_token& stop) {
  constexpr Index some = 1024;  // positions at a time
  const auto frequencies = rope_frequencies(scaling);
  const auto rates = turns_of(frequencies.inv_freq);
  const auto pairs = static_cast<Index>(rates.size());
  const RopeTable table(rates, frequencies.attention_factor);
  const Index all = static_cast<Index>(rows.size()) / scaling.head_dim;
  const Index positions = std::min(period, all);
  std::vector<float> cos(static_cast<std::size_t>(std::min(some, positions) * pairs));
  std::vector<float> sin(cos.size());
  for (Index begin = 0; begin < positions && !stop.stop_requested(); begin += some) {
    const Index count = std::min(some, positions - begin);
    table.fill(begin, count, cos.data(), sin.data());
    for (Index first = begin; first < all; first += period)
      for (Index row = first; row < std::min(first + count, all); ++row)
        rotate_row(rows.data() + row * scaling.head_dim, cos.data() + (row - first) * pairs,
                   sin.data() + (row - first) * pairs, pairs);
  }
}

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
