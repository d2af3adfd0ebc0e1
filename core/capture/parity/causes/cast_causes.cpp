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

float to_dtype(float value, const std::string& dtype) {
  if (dtype == "fp8_e4m3") return to_float8(value, 3, -6, 448);
  if (dtype == "fp8_e5m2") return to_float8(value, 2, -14, 57344);
  return static_cast<float>(number_type(dtype == "bf16" ? "bfloat16" : "float16").rounded(static_cast<double>(value)));
}

/// `shown`: B's numbers, which decide where noise of `unit` leaves two float8 numbers possible; may be null.
void cast_block(TensorBlock& block, const TensorBlock* shown, const std::string& dtype, double unit) {
  const double half_step = dtype == "fp8_e4m3" ? 0x1p-4 : 0x1p-3;
  for (std::size_t i = 0; i < block.values.size(); ++i) {
    const float value = block.values[i];
    block.values[i] = to_dtype(value, dtype);
    if (!shown || unit < 1e-5 || !dtype.starts_with("fp8")) continue;
    const float other = to_dtype(shown->values[i], dtype);
    if (std::abs(static_cast<double>(other - value)) <= (half_step + 4 * unit) * static_cast<double>(std::abs(value)))
      block.values[i] = other;
  }
}

/// No input of the layer differs, and all keys are there before their rotation: what follows may be made from B's.
bool same_inputs(const LayerSample& sample) {
  for (const TensorRole role :
       {TensorRole::hidden_in, TensorRole::q_proj, TensorRole::k_proj, TensorRole::q, TensorRole::k, TensorRole::v})
    if (sample.differs(role)) return false;
  return sample.has(TensorRole::k) && sample.a.at(TensorRole::k).extent[2] == sample.keys;
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
      changed.edit = [&cast, &dtype, &search](TensorRole role, TensorBlock& block) {
        if (std::find(cast.roles.begin(), cast.roles.end(), role) == cast.roles.end()) return;
        const auto shown = search.sample().b.find(role);
        const bool fits = shown != search.sample().b.end() && shown->second.extent == block.extent;
        cast_block(block, fits ? &shown->second : nullptr, dtype, search.sample().unit);
      };
      const JsonObject parameters{{"tensor", cast.told}, {"dtype", dtype}};
      const int rank = static_cast<int>(cast.roles.size());
      search.add("qk_cast", parameters, changed, rank);
      // Rotated vectors are cast from those that both have.
      const bool before = cast.roles.front() == TensorRole::q_rot || cast.roles.front() == TensorRole::k_rot;
      if (before && same_inputs(search.sample()))
        search.add_explained("qk_cast", parameters, search.explained_of_b(changed), rank);
    }
}

/// What shares one scale in a quantised cache.
enum class ScaleOf { row, channel, head, tensor };

struct Levels {
  int bits = 8;
  ScaleOf of = ScaleOf::row;
  bool symmetric = true;
  double tolerance = 0;  ///< relative: a number so near to two levels may be on either
};

/// Numbers that share a scale, with those of B where B shows them.
struct SharedScale {
  std::vector<float*> values;
  std::vector<const float*> shown;
};

/// Symmetric about 0, or from the least to the greatest number.
void quantise(SharedScale& scale, const Levels& levels) {
  float least = 0, most = 0, size = 0;
  for (const float* value : scale.values) {
    least = std::min(least, *value), most = std::max(most, *value);
    size = std::max(size, std::abs(*value));
  }
  const double count = levels.symmetric ? std::exp2(levels.bits - 1) - 1 : std::exp2(levels.bits) - 1;
  const double step = static_cast<double>(levels.symmetric ? size : most - least) / count;
  const double zero = levels.symmetric ? 0 : static_cast<double>(least);
  const auto level_of = [&](float value) {
    return std::nearbyint((static_cast<double>(value) - zero) / step) * step + zero;
  };
  for (std::size_t i = 0; step > 0 && i < scale.values.size(); ++i) {
    const float value = *scale.values[i];
    double level = level_of(value);
    if (!scale.shown.empty() && levels.tolerance > 1e-5 && levels.bits <= 5) {
      const double other = level_of(*scale.shown[i]), off = std::abs(other - static_cast<double>(value));
      if (off <= step / 2 + 4 * levels.tolerance * static_cast<double>(std::abs(value))) level = other;
    }
    *scale.values[i] = static_cast<float>(level);
  }
  scale = {};
}

void quantise_block(TensorBlock& x, const TensorBlock* shown, const Levels& levels) {
  SharedScale scale;
  const auto& n = x.extent;
  const auto take = [&](Index b, Index h, Index t, Index d) {
    const std::size_t at = x.at(b, h, t) + static_cast<std::size_t>(d);
    scale.values.push_back(&x.values[at]);
    if (shown) scale.shown.push_back(&shown->values[at]);
  };
  for (Index b = 0; b < n[0]; ++b) {
    for (Index h = 0; h < n[1]; ++h) {
      if (levels.of == ScaleOf::channel) {
        for (Index d = 0; d < n[3]; ++d) {
          for (Index t = 0; t < n[2]; ++t) take(b, h, t, d);
          quantise(scale, levels);
        }
        continue;
      }
      for (Index t = 0; t < n[2]; ++t) {
        for (Index d = 0; d < n[3]; ++d) take(b, h, t, d);
        if (levels.of == ScaleOf::row) quantise(scale, levels);
      }
      if (levels.of == ScaleOf::head) quantise(scale, levels);
    }
  }
  quantise(scale, levels);
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
          const auto* target = &search.sample().b;
          const double tolerance = search.sample().unit;
          changed.edit = [=](TensorRole role, TensorBlock& block) {
            if (!(part.keys && role == part.key_role) && !(part.values && role == TensorRole::v)) return;
            const auto shown = target->find(role);
            const bool fits = shown != target->end() && shown->second.extent == block.extent;
            quantise_block(block, fits ? &shown->second : nullptr, {bits, of, symmetric, tolerance});
          };
          search.add("kv_quantised", {{"bits", bits}}, changed, 2);
          if (same_inputs(search.sample()))
            search.add_explained("kv_quantised", {{"bits", bits}}, search.explained_of_b(changed), 2);
        }
}

double size_of_row(std::span<const float> row) {
  double sum = 0;
  for (const float value : row) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum / static_cast<double>(row.size()) + 1e-6);
}

/// A's rows without their norm: the gain of each column by least squares, then the size that B's rows have.
TensorBlock without_norm(const TensorBlock& a, const TensorBlock& b) {
  const auto columns = static_cast<std::size_t>(a.extent[3]);
  std::vector<double> dots(columns), squares(columns, 1e-30);
  for (std::size_t at = 0; at < a.values.size(); at += columns) {
    const auto row = std::span(b.values).subspan(at, columns);
    const double size = size_of_row(row);
    for (std::size_t i = 0; i < columns; ++i) {
      const double normed = static_cast<double>(row[i]) / size;
      dots[i] += normed * static_cast<double>(a.values[at + i]);
      squares[i] += normed * normed;
    }
  }
  TensorBlock made = a;
  for (std::size_t at = 0; at < a.values.size(); at += columns) {
    const double size = size_of_row(std::span(b.values).subspan(at, columns));
    for (std::size_t i = 0; i < columns; ++i) {
      const double gain = dots[i] / squares[i];
      made.values[at + i] = static_cast<float>(static_cast<double>(a.values[at + i]) * size / (gain == 0 ? 1 : gain));
    }
  }
  return made;
}

/// k of every key, or of the new ones where those of the cache are not known; no values: none is there.
TensorBlock known_keys(const RecipeInputs& inputs, const std::map<TensorRole, TensorBlock>& tensors) {
  if (!inputs.k.values.empty()) return inputs.k;
  const auto k = tensors.find(TensorRole::k);
  return k == tensors.end() ? TensorBlock{} : k->second;
}

/// A's q or k is the norm of B's.
void try_norms(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const TensorBlock &q_a = search.inputs().q, &q_b = search.inputs_of_b().q;
  const TensorBlock k_a = known_keys(search.inputs(), sample.a), k_b = known_keys(search.inputs_of_b(), sample.b);
  if (q_a.values.empty() || k_a.values.empty() || q_a.extent != q_b.extent || k_a.extent != k_b.extent) return;
  const auto projected = [&](TensorRole role, const TensorBlock& a, const TensorBlock& b) {
    const auto found = sample.a.find(role);
    return found != sample.a.end() && found->second.extent == a.extent ? found->second : without_norm(a, b);
  };
  const TensorBlock q = projected(TensorRole::q_proj, q_a, q_b), k = projected(TensorRole::k_proj, k_a, k_b);
  for (const auto& [of_q, of_k] : {std::pair{true, true}, std::pair{true, false}, std::pair{false, true}}) {
    Recipe changed = search.recipe();
    changed.edit = [&, of_q = of_q, of_k = of_k](TensorRole role, TensorBlock& block) {
      if (of_q && role == TensorRole::q && block.extent == q.extent) block = q;
      if (of_k && role == TensorRole::k && block.extent == k.extent) block = k;
    };
    search.add("qk_norm_missing", {}, changed, of_q && of_k ? 2 : 3);
  }
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
