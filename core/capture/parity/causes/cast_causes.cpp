// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"
#include "core/method/shared/number_type.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Nearest float8, ties to even; beyond the largest: that one.
float to_float8(float value, int fraction, int least_exponent, float largest) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), least_exponent);
  const double step = std::ldexp(1.0, exponent - fraction);
  const auto rounded = static_cast<float>(std::nearbyint(static_cast<double>(value) / step) * step);
  return std::clamp(rounded, -largest, largest);
}

void cast_block(TensorBlock& block, const std::string& dtype) {
  for (float& value : block.values) {
    if (dtype == "fp8_e4m3") value = to_float8(value, 3, -6, 448);
    if (dtype == "fp8_e5m2") value = to_float8(value, 2, -14, 57344);
    if (dtype == "bf16") value = static_cast<float>(number_type("bfloat16").rounded(static_cast<double>(value)));
    if (dtype == "f16") value = static_cast<float>(number_type("float16").rounded(static_cast<double>(value)));
  }
}

void try_casts_of_vectors(CauseSearch& search) {
  struct Cast {
    const char* told;
    std::vector<TensorRole> roles;
  };
  const Cast casts[]{{"q", {TensorRole::q}},
                     {"k", {TensorRole::k}},
                     {"q", {TensorRole::q_rot}},
                     {"k", {TensorRole::k_rot}},
                     {"qk", {TensorRole::q, TensorRole::k}},
                     {"qk", {TensorRole::q_rot, TensorRole::k_rot}},
                     {"v", {TensorRole::v}}};
  for (const Cast& cast : casts)
    for (const std::string dtype : {"bf16", "f16", "fp8_e4m3", "fp8_e5m2"}) {
      Recipe changed = search.recipe();
      changed.edit = [&cast, &dtype](TensorRole role, TensorBlock& block) {
        if (std::find(cast.roles.begin(), cast.roles.end(), role) != cast.roles.end()) cast_block(block, dtype);
      };
      search.add("qk_cast", {{"tensor", cast.told}, {"dtype", dtype}}, changed, static_cast<int>(cast.roles.size()));
    }
}

/// What shares one scale in a quantised cache.
enum class ScaleOf { row, channel, head, tensor };

/// Symmetric about 0, or from the least to the greatest number.
void quantise(std::span<float*> values, int bits, bool symmetric) {
  float least = 0, most = 0, size = 0;
  for (const float* value : values) {
    least = std::min(least, *value), most = std::max(most, *value);
    size = std::max(size, std::abs(*value));
  }
  const double levels = symmetric ? std::exp2(bits - 1) - 1 : std::exp2(bits) - 1;
  const double step = static_cast<double>(symmetric ? size : most - least) / levels;
  if (!(step > 0)) return;
  const double zero = symmetric ? 0 : static_cast<double>(least);
  for (float* value : values)
    *value = static_cast<float>(std::nearbyint((static_cast<double>(*value) - zero) / step) * step + zero);
}

void quantise_block(TensorBlock& x, int bits, ScaleOf of, bool symmetric) {
  std::vector<float*> values;
  const auto flush = [&] {
    quantise(values, bits, symmetric);
    values.clear();
  };
  const auto& n = x.extent;
  for (Index b = 0; b < n[0]; ++b) {
    for (Index h = 0; h < n[1]; ++h) {
      if (of == ScaleOf::channel) {
        for (Index d = 0; d < n[3]; ++d) {
          for (Index t = 0; t < n[2]; ++t) values.push_back(&x.row(b, h, t)[static_cast<std::size_t>(d)]);
          flush();
        }
        continue;
      }
      for (Index t = 0; t < n[2]; ++t) {
        for (float& value : x.row(b, h, t)) values.push_back(&value);
        if (of == ScaleOf::row) flush();
      }
      if (of == ScaleOf::head) flush();
    }
  }
  flush();
}

void try_quantised(CauseSearch& search) {
  struct Parts {
    bool keys, values;
    TensorRole key_role;
  };
  const Parts parts[]{{true, true, TensorRole::k_rot},
                      {true, false, TensorRole::k_rot},
                      {false, true, TensorRole::k_rot},
                      {true, true, TensorRole::k},
                      {true, false, TensorRole::k}};
  for (const int bits : {8, 4, 2, 3, 5, 6})
    for (const ScaleOf of : {ScaleOf::row, ScaleOf::head, ScaleOf::channel, ScaleOf::tensor})
      for (const bool symmetric : {true, false})
        for (const Parts& part : parts) {
          Recipe changed = search.recipe();
          changed.edit = [=](TensorRole role, TensorBlock& block) {
            if ((part.keys && role == part.key_role) || (part.values && role == TensorRole::v))
              quantise_block(block, bits, of, symmetric);
          };
          search.add("kv_quantised", {{"bits", bits}}, changed, 2);
        }
}

/// A's q or k is the norm of B's: scaled by its root mean square and a gain of each column.
void try_norms(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  MadeTensors made;
  for (const auto& [role, before] :
       {std::pair{TensorRole::q, TensorRole::q_proj}, std::pair{TensorRole::k, TensorRole::k_proj}}) {
    if (!sample.differs(role)) continue;
    if (sample.has(before)) {
      made[role] = sample.a.at(before);
      continue;
    }
    // Back from B's: the gain of each column by least squares, then A's rows by the size that B's have.
    const TensorBlock &a = sample.a.at(role), &b = sample.b.at(role);
    const auto columns = static_cast<std::size_t>(a.extent[3]);
    std::vector<double> dots(columns), squares(columns);
    const auto size_of = [](std::span<const float> row) {
      double sum = 0;
      for (const float value : row) sum += static_cast<double>(value) * static_cast<double>(value);
      return std::sqrt(sum / static_cast<double>(row.size()) + 1e-6);
    };
    for (std::size_t at = 0; at < a.values.size(); at += columns) {
      const auto row = std::span(b.values).subspan(at, columns);
      const double size = size_of(row);
      for (std::size_t i = 0; i < columns; ++i) {
        const double normed = static_cast<double>(row[i]) / size;
        dots[i] += normed * static_cast<double>(a.values[at + i]);
        squares[i] += normed * normed;
      }
    }
    made[role] = a;
    for (std::size_t at = 0; at < a.values.size(); at += columns) {
      const double size = size_of(std::span(b.values).subspan(at, columns));
      for (std::size_t i = 0; i < columns; ++i) {
        const double gain = squares[i] > 0 ? dots[i] / squares[i] : 1;
        made[role].values[at + i] =
            static_cast<float>(static_cast<double>(a.values[at + i]) * size / (gain == 0 ? 1 : gain));
      }
    }
  }
  if (made.empty()) return;
  Recipe changed = search.recipe();
  changed.edit = [&made](TensorRole role, TensorBlock& block) {
    const auto found = made.find(role);
    if (found != made.end() && found->second.extent == block.extent) block = found->second;
  };
  search.add("qk_norm_missing", {}, changed, 2);
}

}  // namespace

void try_cast_causes(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  if (!search.inputs().has_vectors() && !sample.has(TensorRole::v) && !sample.has(TensorRole::k_rot) &&
      !sample.has(TensorRole::q))
    return;
  try_casts_of_vectors(search);
  try_quantised(search);
  try_norms(search);
}

}  // namespace vqscope
