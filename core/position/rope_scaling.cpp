// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position/rope_scaling.h"

#include "core/base/text.h"
#include "core/sequence/sequence_layout.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

/// Every formula is written once, for two kinds of numbers: tensors hold Real, configuration values are Wide.
struct ExactNumbers {
  using Real = long double;
  using Wide = long double;
};
/// torch computes tensors in float32, Python the scalars that enter them in float64.
struct TorchNumbers {
  using Real = float;
  using Wide = double;
};

/// theta^(-2i/d). `1 / powf` in float32 equals torch bit for bit; the exponent is rounded before the power.
template <class Numbers>
std::vector<typename Numbers::Real> powers(typename Numbers::Wide theta, Index rotated) {
  using Real = typename Numbers::Real;
  std::vector<Real> inv_freq;
  for (Index i = 0; i < rotated; i += 2)
    inv_freq.push_back(Real{1} / std::pow(static_cast<Real>(theta), static_cast<Real>(i) / static_cast<Real>(rotated)));
  return inv_freq;
}

template <class Real>
RopeFrequencies widened(const std::vector<Real>& inv_freq) {
  return {{inv_freq.begin(), inv_freq.end()}, 1};
}

template <class Numbers>
RopeFrequencies unscaled(const RopeScaling& s) {
  return widened(powers<Numbers>(s.rope_theta, s.rotated()));
}

/// Positions divided by `factor`, which is the same as frequencies divided by it.
template <class Numbers>
RopeFrequencies divided(const RopeScaling& s, typename Numbers::Wide factor) {
  auto inv_freq = powers<Numbers>(s.rope_theta, s.rotated());
  for (auto& each : inv_freq) each /= static_cast<typename Numbers::Real>(factor);
  return widened(inv_freq);
}

/// theta stretched so that the slowest pair is interpolated by `factor` and the fastest is left alone.
template <class Numbers>
RopeFrequencies stretched(const RopeScaling& s, typename Numbers::Wide factor) {
  using Wide = typename Numbers::Wide;
  const auto d = static_cast<Wide>(s.rotated());
  return widened(powers<Numbers>(static_cast<Wide>(s.rope_theta) * std::pow(factor, d / (d - 2)), s.rotated()));
}

/// L / L_train, 1 while the sequence fits into the trained length.
template <class Wide>
Wide length_ratio(const RopeScaling& s) {
  const Index length = std::max(s.seq_len, s.original_max_position_embeddings);
  return static_cast<Wide>(length) / static_cast<Wide>(s.original_max_position_embeddings);
}

template <class Numbers>
RopeFrequencies linear(const RopeScaling& s) {
  return divided<Numbers>(s, s.factor);
}

template <class Numbers>
RopeFrequencies ntk(const RopeScaling& s) {
  return stretched<Numbers>(s, s.factor);
}

template <class Numbers>
RopeFrequencies dynamic_linear(const RopeScaling& s) {
  return divided<Numbers>(s, length_ratio<typename Numbers::Wide>(s));
}

template <class Numbers>
RopeFrequencies dynamic(const RopeScaling& s) {
  using Wide = typename Numbers::Wide;
  const Wide factor = s.factor;
  const Wide length = static_cast<Wide>(std::max(s.seq_len, s.original_max_position_embeddings));
  return stretched<Numbers>(s, factor * length / static_cast<Wide>(s.original_max_position_embeddings) - (factor - 1));
}

std::vector<std::string> types_reading(std::string_view parameter) {
  std::vector<std::string> ids;
  for (const auto& type : rope_types())
    if (type.reads(parameter)) ids.push_back(type.id);
  return ids;
}

/// The parameter that decides the rotated size, with its value.
std::string rotated_text(const RopeScaling& s) {
  return (s.rotary_dim == 0 ? "head_dim is " : "rotary_dim is ") + to_text(s.rotated());
}

}  // namespace

bool RopeType::reads(std::string_view parameter) const { return std::ranges::count(uses, parameter) > 0; }

std::span<const RopeType> rope_types() {
  static const std::vector<RopeType> all{
      {"default", "as trained", {}, unscaled<ExactNumbers>, unscaled<TorchNumbers>},
      {"linear",
       "position interpolation: every frequency divided by factor",
       {"factor"},
       linear<ExactNumbers>,
       linear<TorchNumbers>},
      {"ntk",
       "NTK-aware: rope_theta times factor^(d/(d-2)), so that fast pairs keep their frequency",
       {"factor"},
       ntk<ExactNumbers>,
       ntk<TorchNumbers>},
      {"dynamic_linear",
       "position interpolation by seq_len over the trained length, once it is longer",
       {"seq_len"},
       dynamic_linear<ExactNumbers>,
       dynamic_linear<TorchNumbers>},
      {"dynamic",
       "dynamic NTK: rope_theta grows with seq_len, once it is beyond the trained length",
       {"factor", "seq_len"},
       dynamic<ExactNumbers>,
       dynamic<TorchNumbers>},
  };
  return all;
}

const RopeType& rope_type(std::string_view id) {
  const auto it = std::ranges::find(rope_types(), id, &RopeType::id);
  assert(it != rope_types().end());
  return *it;
}

RopeFrequencies rope_frequencies(const RopeScaling& scaling) {
  const RopeType& type = rope_type(scaling.rope_type);
  return scaling.precision == RopePrecision::exact ? type.exact(scaling) : type.hf_float32(scaling);
}

double wavelength(long double inv_freq) { return static_cast<double>(2 * std::numbers::pi_v<long double> / inv_freq); }

Result<void> RopeScaling::check() const {
  if (head_dim % 2 != 0) return invalid("head_dim is " + to_text(head_dim) + ", must be even");
  if (rotary_dim % 2 != 0) return invalid("rotary_dim is " + to_text(rotary_dim) + ", must be even");
  if (rotary_dim > head_dim)
    return invalid("rotary_dim is " + to_text(rotary_dim) + ", must be at most head_dim = " + to_text(head_dim) +
                   ", or 0 to follow it");
  if (rope_theta <= 1) return invalid("rope_theta is " + to_text(rope_theta) + ", must be above 1");
  if (rotated() == 2 && (rope_type == "ntk" || rope_type == "dynamic"))
    return invalid(rotated_text(*this) + ", must be at least 4 with rope_type " + rope_type +
                   ", whose exponent d/(d-2) has no value at d = 2");
  return {};
}

std::vector<ParameterSpec> rope_scaling_parameters() {
  const std::string group = "RoPE";
  std::vector<Choice> types;
  for (const auto& type : rope_types()) types.push_back({type.id, type.help});
  return {{.name = "rope_type",
           .group = group,
           .help = "How the frequencies are scaled for sequences beyond the trained length.",
           .kind = ParameterKind::choice,
           .fallback = std::string("default"),
           .choices = std::move(types)},
          {.name = "factor",
           .group = group,
           .help = "How many times longer than the trained length the sequence may become.",
           .kind = ParameterKind::real,
           .fallback = 4.0,
           .minimum = 1,
           .maximum = 1024,
           .logarithmic = true,
           .relevant = {{"rope_type", types_reading("factor")}}},
          {.name = "original_max_position_embeddings",
           .label = "Trained length",
           .group = group,
           .help = "Sequence length that the model was trained with.",
           .fallback = Index{4096},
           .minimum = 1,
           .maximum = 2147483648.0,
           .logarithmic = true,
           .unit = "tokens"},
          {.name = "seq_len",
           .group = group,
           .help = "Longest sequence seen so far, which dynamic types follow.",
           .fallback = Index{0},
           .minimum = 0,
           .maximum = 4294967296.0,
           .logarithmic = true,
           .unit = "tokens",
           .automatic = "q_length + past_len",
           .relevant = {{"rope_type", types_reading("seq_len")}}},
          {.name = "rope_theta",
           .group = group,
           .help = "Base of the frequencies: pair i turns by rope_theta^(-2i/d) a position. Above 1.",
           .kind = ParameterKind::real,
           .fallback = 10000.0,
           .minimum = 1,
           .maximum = 1e12,
           .logarithmic = true},
          {.name = "head_dim",
           .group = group,
           .help = "Dimensions of one head. Even.",
           .fallback = Index{128},
           .minimum = 2,
           .maximum = 4096,
           .logarithmic = true},
          {.name = "rotary_dim",
           .group = group,
           .help = "Dimensions that are rotated, d; the others are left as they are. Even.",
           .fallback = Index{0},
           .minimum = 0,
           .maximum = 4096,
           .logarithmic = true,
           .automatic = "head_dim"},
          {.name = "precision",
           .group = group,
           .help = "Which arithmetic computes frequencies and angles.",
           .kind = ParameterKind::choice,
           .fallback = std::string("exact"),
           .choices = {{"exact", "real numbers: what the formula says"},
                       {"hf_float32", "float32 in the order of Hugging Face and torch: what models saw"}}}};
}

std::vector<ParameterSpec> rope_curve_parameters(Index default_q_length) {
  std::vector<ParameterSpec> specs;
  for (auto& spec : sequence_parameters(SequenceUse::lengths, default_q_length))
    if (spec.name != "kv_length") specs.push_back(std::move(spec));
  for (auto& spec : rope_scaling_parameters()) specs.push_back(std::move(spec));
  return specs;
}

RopeScaling rope_scaling_from(const ParameterValues& values) {
  RopeScaling s;
  s.rope_type = values.choice("rope_type");
  s.head_dim = values.integer("head_dim");
  s.rotary_dim = values.integer("rotary_dim");
  s.rope_theta = values.real("rope_theta");
  s.factor = values.real("factor");
  s.original_max_position_embeddings = values.integer("original_max_position_embeddings");
  if (values.find("seq_len")) s.seq_len = values.integer("seq_len");
  if (s.seq_len == 0) s.seq_len = values.integer("q_length") + values.integer("past_len");
  s.precision = values.choice("precision") == "exact" ? RopePrecision::exact : RopePrecision::hf_float32;
  return s;
}

}  // namespace vqscope
