// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/keys.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

/// Epsilon under the root, from the authors' own LayerNorm.
constexpr double norm_epsilon = 1e-6;

struct NamedNorm {
  const char* id;
  QueryKeyNorm norm;
  const char* help;
  std::string_view scores;
};

constexpr std::array norms{
    NamedNorm{"none", QueryKeyNorm::none, "none: scores are q·k", "scores q·k, not divided by √d"},
    NamedNorm{"scale", QueryKeyNorm::scale, "q and k times d_k^(-1/4): scores are q·k / √d_k", "scores q·k / √d"},
    NamedNorm{"paper", QueryKeyNorm::paper,
              "RMSNorm without gain, then times d_k^(-1/4), as the paper (appendix C.2) and its code do",
              "q and k normalised by RMSNorm, scores q·k / √d"},
    NamedNorm{"layer_norm", QueryKeyNorm::layer_norm, "the same after subtracting the mean (LayerNorm)",
              "q and k normalised by LayerNorm, scores q·k / √d"}};

void normalize_row(std::span<float> row, bool centred, double scale) {
  const auto width = static_cast<double>(row.size());
  double mean = 0, square = 0;
  if (centred)
    for (const float x : row) mean += static_cast<double>(x) / width;
  for (const float x : row) square += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
  const double factor = scale / std::sqrt(square / width + norm_epsilon);
  for (float& x : row) x = static_cast<float>((static_cast<double>(x) - mean) * factor);
}

}  // namespace

KeySampler::KeySampler(const KeySamples& samples, Index width, const std::stop_token& stop)
    : m_samples(samples), m_width(width), m_random(samples.seed) {
  if (samples.kind == KeyKind::independent) return;
  assert(samples.clusters > 0);
  m_centres.resize(static_cast<std::size_t>(samples.clusters * width));
  for (std::size_t i = 0; i < m_centres.size() && !stop.stop_requested(); ++i) m_centres[i] = m_random.normal();
}

void KeySampler::append(std::vector<float>& keys, Index count, const std::stop_token& stop) {
  keys.reserve(keys.size() + static_cast<std::size_t>(count * m_width));
  const bool clustered = m_samples.kind == KeyKind::clustered;
  for (Index i = 0; i < count && !stop.stop_requested(); ++i) {
    const auto centre =
        clustered ? static_cast<Index>(m_random.bits() % static_cast<std::uint64_t>(m_samples.clusters)) : 0;
    for (Index c = 0; c < m_width; ++c) {
      const double drawn = m_random.normal();
      keys.push_back(static_cast<float>(
          clustered ? m_centres[static_cast<std::size_t>(centre * m_width + c)] + m_samples.spread * drawn : drawn));
    }
  }
}

std::vector<float> sample_keys(const KeySamples& samples, Index count, Index width, const std::stop_token& stop) {
  std::vector<float> keys;
  KeySampler(samples, width, stop).append(keys, count, stop);
  return keys;
}

void normalize_rows(std::span<float> rows, Index width, QueryKeyNorm norm) {
  if (norm == QueryKeyNorm::none) return;
  const double scale = std::pow(static_cast<double>(width), -0.25);
  if (norm == QueryKeyNorm::scale) {
    for (float& x : rows) x = static_cast<float>(static_cast<double>(x) * scale);
    return;
  }
  const auto size = static_cast<std::size_t>(width);
  for (auto rest = rows; !rest.empty(); rest = rest.subspan(size))
    normalize_row(rest.first(size), norm == QueryKeyNorm::layer_norm, scale);
}

ParameterSpec normalize_parameter(std::string_view default_value) {
  ParameterSpec spec{.name = "normalize",
                     .label = "Normalisation",
                     .help = "Normalisation applied to q and k. A codebook you supply must match the normalised keys.",
                     .kind = ParameterKind::choice,
                     .default_value = std::string(default_value)};
  for (const auto& each : norms) spec.choices.push_back({each.id, each.help});
  return spec;
}

QueryKeyNorm norm_of(const ParameterValues& values) {
  return std::ranges::find(norms, values.choice("normalize"), &NamedNorm::id)->norm;
}

std::string_view score_words(QueryKeyNorm norm) { return std::ranges::find(norms, norm, &NamedNorm::norm)->scores; }

}  // namespace vqscope
