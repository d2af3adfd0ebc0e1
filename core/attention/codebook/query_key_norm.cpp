// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/query_key_norm.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

/// Epsilon under the root, from the authors' own LayerNorm.
constexpr double norm_epsilon = 1e-6;

struct NamedNorm {
  const char* id;
  QueryKeyNorm norm;
  const char* help;
};

constexpr std::array norms{
    NamedNorm{"none", QueryKeyNorm::none, "none: scores are q·k"},
    NamedNorm{"scale", QueryKeyNorm::scale, "q and k times d_k^(-1/4): scores are q·k / √d_k"},
    NamedNorm{"paper", QueryKeyNorm::paper, "LayerNorm without gain or bias, then times d_k^(-1/4)"},
    NamedNorm{"paper_code", QueryKeyNorm::paper_code,
              "the same without subtracting the mean, as the authors' code does"}};

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

void normalize_rows(std::span<float> rows, Index width, QueryKeyNorm norm) {
  if (norm == QueryKeyNorm::none) return;
  const double scale = std::pow(static_cast<double>(width), -0.25);
  if (norm == QueryKeyNorm::scale) {
    for (float& x : rows) x = static_cast<float>(static_cast<double>(x) * scale);
    return;
  }
  const auto size = static_cast<std::size_t>(width);
  for (auto rest = rows; !rest.empty(); rest = rest.subspan(size))
    normalize_row(rest.first(size), norm == QueryKeyNorm::paper, scale);
}

ParameterSpec normalize_parameter(std::string_view default_value) {
  ParameterSpec spec{.name = "normalize",
                     .help = "Normalisation applied to q and k. A codebook you supply must match the normalised keys.",
                     .kind = ParameterKind::choice,
                     .default_value = std::string(default_value)};
  for (const auto& [id, norm, help] : norms) spec.choices.push_back({id, help});
  return spec;
}

QueryKeyNorm norm_of(const ParameterValues& values) {
  return std::ranges::find(norms, values.choice("normalize"), &NamedNorm::id)->norm;
}

}  // namespace vqscope
