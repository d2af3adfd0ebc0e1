// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/gguf/gguf_model.h"

#include "core/base/sentence.h"
#include "core/config/config_parts.h"
#include "core/config/family/family_reading.h"
#include "core/config/rope/rope_reading.h"
#include "core/encoding/rope/rope_formulas.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr NumberRange gguf_factors{0, 65536};
constexpr NumberRange multipliers{0, 100};
constexpr NumberRange alphas{0, 1e9};
constexpr double still = 1e20;  // a pair whose angle is divided by more does not turn: Gemma 4 has 1e30

class GgufRopeReader {
 public:
  GgufRopeReader(const GgufModel& model, bool local) : m_model(model), m_local(local) {}
  std::optional<RopeUse> read();

 private:
  void read_size();
  void read_theta();
  void read_type();
  void read_yarn();
  void read_factors();
  void read_longrope();
  void take_factors(const std::vector<double>& divisors);
  void read_sections();
  std::optional<std::vector<double>> numbers_of(std::string_view tensor);
  bool scales() const { return !m_local || !m_model.architecture.unscaled_windows; }

  const GgufModel& m_model;
  bool m_local;
  RopeUse m_use;
};

void GgufRopeReader::read_size() {
  RopeScaling& s = m_use.scaling;
  const Index whole = m_local ? m_model.local_head_dim : m_model.head_dim;
  const auto all = m_model.integer("rope.dimension_count", head_sizes);
  const auto local = m_local ? m_model.integer("rope.dimension_count_swa", head_sizes) : std::nullopt;
  const bool own = m_local && !m_model.architecture.latent && m_model.local_head_dim != m_model.head_dim;
  s.rotary_dim = local.value_or(own ? whole : all.value_or(whole));
  if (m_model.name == "step35" && !m_local) s.rotary_dim /= 2;  // in the code, whatever the file has
  s.head_dim = m_model.architecture.latent ? s.rotary_dim : whole;
  if (s.head_dim < 2 || s.head_dim % 2 != 0 || s.rotary_dim % 2 != 0 || s.rotary_dim > s.head_dim)
    return m_model.values.error(
        m_model.key("rope.dimension_count"),
        fmt::format("{} of {} dimensions of a head are rotated; must be an even number from 2 to an even head size",
                    s.rotary_dim, s.head_dim));
  if (s.rotary_dim == s.head_dim) s.rotary_dim = 0;
}

void GgufRopeReader::read_theta() {
  const auto given = m_model.number("rope.freq_base", thetas);
  const double own = m_local ? m_model.architecture.local_theta : 0;
  m_use.rope_theta = own > 0 ? own : given.value_or(10000);
  if (m_local) m_use.rope_theta = m_model.number("rope.freq_base_swa", thetas).value_or(m_use.rope_theta);
  if (!m_local && m_model.name == "deepseek4")  // full layers are those that compress their cache
    m_use.rope_theta = m_model.number("attention.compress_rope_freq_base", thetas).value_or(m_use.rope_theta);
  m_use.scaling.rope_theta = m_use.rope_theta;
  const double alpha = m_model.name == "hunyuan_vl" ? m_model.number("rope.scaling.alpha", alphas).value_or(0) : 0;
  if (alpha > 0 && m_model.head_dim > 2) {  // the files of HunYuan's other architectures have the product
    const auto size = static_cast<double>(m_model.head_dim);
    m_use.alpha = alpha;
    m_use.scaling.rope_theta *= std::pow(alpha, size / (size - 2));
  }
  const std::string key = m_model.key("rope.freq_base");
  if (!given && !m_model.has("rope.freq_base") && !m_local)
    m_model.values.note(key, key + " is not given: 10000 is llama.cpp's default");
}

/// The type under rope.scaling.type; an old key gives the factor of linear alone.
void GgufRopeReader::read_type() {
  RopeScaling& s = m_use.scaling;
  const std::string key = m_model.key("rope.scaling.type");
  const std::string type = m_model.values.text(key).value_or("linear");
  auto factor = m_model.number("rope.scaling.factor", gguf_factors);
  if (!m_model.has("rope.scaling.factor")) factor = m_model.number("rope.scale_linear", gguf_factors);
  s.factor = factor.value_or(1) == 0 ? 1 : factor.value_or(1);
  s.rope_type = "default";
  if (!scales()) {
    s.factor = 1;
  } else if (type == "linear") {
    if (s.factor != 1) s.rope_type = "linear";
  } else if (type == "yarn") {
    s.rope_type = "yarn";
    read_yarn();
  } else if (type != "none" && type != "longrope") {
    m_model.values.error(key,
                         fmt::format("{} is \"{}\" but must be none, linear, yarn or longrope", key, shortened(type)));
  }
  m_use.rope_type = m_model.values.has(key) && scales() ? type : s.rope_type;
}

/// cos and sin are multiplied by m(factor), or with yarn_log_multiplier L by m(factor) / m(factor,
/// L), and by attn_factor; the ramp ends at whole pairs.
void GgufRopeReader::read_yarn() {
  RopeScaling& s = m_use.scaling;
  const double fast = m_model.number("rope.scaling.yarn_beta_fast", gguf_factors).value_or(32);
  const double slow = m_model.number("rope.scaling.yarn_beta_slow", gguf_factors).value_or(1);
  const bool own = m_model.name == "mistral3" || m_model.name == "grok";  // only these take them from the file
  s.beta_fast = own ? fast : 32;
  s.beta_slow = own ? slow : 1;
  const bool latent = m_model.architecture.latent;
  const double stored = m_model.number("rope.scaling.yarn_log_multiplier", multipliers).value_or(0);
  const double multiplier = latent ? stored / 0.1 : stored;  // files of these have 0.1 times it
  const double mscale = m_model.name == "deepseek2" && multiplier > 0 && multiplier != 1 ? multiplier : 1;
  double attention = yarn_mscale(s.factor, mscale);
  if (multiplier > 0) attention /= yarn_mscale(s.factor, multiplier);
  s.attention_factor = attention * m_model.number("rope.scaling.attn_factor", multipliers).value_or(1);
  if (m_model.name == "deepseek4") s.attention_factor = 1;  // its code undoes the factor of cos and sin
  if (latent && multiplier > 0) m_use.softmax_factor = std::pow(yarn_mscale(s.factor, multiplier), 2);
}

std::optional<std::vector<double>> GgufRopeReader::numbers_of(std::string_view tensor) {
  const auto* found = m_model.head.find_tensor(tensor);
  if (!found) return std::nullopt;
  if (found->is_elsewhere) {
    m_model.values.error(tensor,
                         fmt::format("tensor {} must be in the first part of the model, whose head names it", tensor));
    return std::nullopt;
  }
  auto numbers = read_gguf_numbers(m_model.source, *found, 2048);
  if (!numbers) {
    m_model.values.error(tensor, numbers.error().message);
    return std::nullopt;
  }
  const auto bad = std::ranges::find_if(*numbers, [](double each) { return !(each > 0) || !std::isfinite(each); });
  if (bad == numbers->end()) return std::move(*numbers);
  m_model.values.error(tensor, fmt::format("item {} of tensor {} is {} but must be a finite number above 0",
                                           bad - numbers->begin(), tensor, to_text(*bad)));
  return std::nullopt;
}

/// rope_freqs.weight divides the angle of each pair, as for Llama 3; it has no type of its own in
/// the file.
void GgufRopeReader::read_factors() {
  auto divisors = m_local ? std::nullopt : numbers_of("rope_freqs.weight");
  const Index pairs = m_use.scaling.pairs();
  // Step 3.5 pads the numbers to all pairs of a head, of which its full layers rotate half.
  if (divisors && m_model.name == "step35" && std::ssize(*divisors) > pairs)
    divisors->resize(static_cast<std::size_t>(pairs));
  if (divisors) take_factors(*divisors);
}

void GgufRopeReader::take_factors(const std::vector<double>& divisors) {
  RopeScaling& s = m_use.scaling;
  if (std::ssize(divisors) != s.pairs())
    return m_model.values.error(
        "rope_freqs.weight", fmt::format("tensor rope_freqs.weight has {} numbers but must have {}, one for each pair",
                                         divisors.size(), s.pairs()));
  const auto turning = std::ranges::count_if(divisors, [](double each) { return each < still; });
  if (turning < s.pairs() && turning > 0 && s.rotary_dim == 0) {  // Gemma 4: only the first pairs turn
    s.rotary_dim = 2 * turning;
    s.rope_theta = std::pow(m_use.rope_theta, static_cast<double>(s.rotary_dim) / static_cast<double>(s.head_dim));
    m_use.apart = s.head_dim / 2;
  }
  std::vector<double> all(divisors.begin(), divisors.begin() + s.pairs());
  if (std::ranges::all_of(all, [](double each) { return each == 1; })) return;
  for (double& each : all) each *= s.rope_type == "linear" ? s.factor : 1;
  if (s.rope_type == "yarn")
    return m_model.values.warning("rope_freqs.weight",
                                  "tensor rope_freqs.weight is given beside yarn: llama.cpp "
                                  "applies both, the inverse frequencies here have yarn alone");
  const auto scaled = std::ranges::count_if(all, [](double each) { return each != 1; });
  m_model.values.note("rope_freqs.weight",
                      fmt::format("tensor rope_freqs.weight divides the angles of {} of {} pairs, by up to {}: the "
                                  "training length before this scaling is not in the file",
                                  scaled, all.size(), to_text(std::ranges::max(all), 6)));
  s.rope_type = "longrope";
  s.short_factor = s.long_factor = std::move(all);
  s.attention_factor = 1;
  m_use.rope_type = "rope_freqs";
}

void GgufRopeReader::read_longrope() {
  RopeScaling& s = m_use.scaling;
  auto longer = m_local ? std::nullopt : numbers_of("rope_factors_long.weight");
  auto shorter = m_local ? std::nullopt : numbers_of("rope_factors_short.weight");
  if (!longer || !shorter) return;
  s.rope_type = "longrope";
  s.long_factor = std::move(*longer);
  s.short_factor = std::move(*shorter);
  s.attention_factor = m_model.number("rope.scaling.attn_factor", multipliers).value_or(1);
}

void GgufRopeReader::read_sections() {
  const GgufPairs pairs = m_model.architecture.pairs;
  const std::string key = m_model.key("rope.dimension_sections");
  if (!m_model.values.has(key)) return;
  const auto given = m_model.values.numbers(key, {0, 4096});
  if (!given || given->size() < 3) return;
  m_use.mrope_section = *given;
  while (m_use.mrope_section.size() > 3 && m_use.mrope_section.back() == 0) m_use.mrope_section.pop_back();
  m_use.mrope_interleaved = pairs == GgufPairs::imrope;
  // GLM-4.1V has GLM-4's name; its sections make it M-RoPE, for which the converter puts the pairs
  // apart.
  if (m_model.name == "glm4" && m_use.mrope_section[0] > 0 && m_use.mrope_section[1] > 0) m_use.interleaved = false;
}

std::optional<RopeUse> GgufRopeReader::read() {
  const ConfigObject& values = m_model.values;
  const Index errors = values.ledger().errors();
  if (m_model.head_dim == 0 && errors > 0) return std::nullopt;  // the error has the reason
  RopeScaling& s = m_use.scaling;
  m_use.path = m_model.key("rope.scaling");
  read_size();
  if (values.ledger().errors() > errors) return std::nullopt;
  m_use.apart = s.rotated() / 2;
  m_use.interleaved = m_model.architecture.pairs == GgufPairs::norm;
  m_use.permuted = m_model.architecture.permuted;
  m_use.max_position_embeddings = m_model.trained;
  s.original_max_position_embeddings =
      m_model.integer("rope.scaling.original_context_length", lengths).value_or(m_model.trained);
  read_theta();
  read_type();
  read_sections();
  read_longrope();
  read_factors();
  if (values.ledger().errors() > errors) return std::nullopt;
  if (auto checked = s.check(); !checked) {
    values.error(m_model.key("rope.scaling.type"), checked.error().message);
    return std::nullopt;
  }
  m_use.seq_len = served_length(m_use);
  s.seq_len = m_use.seq_len;
  m_use.attention_factor = rope_frequencies(s).attention_factor;
  m_use.pairs = config_pairs(m_use);
  m_use.implementations.push_back({.name = "llama.cpp",
                                   .rule = "as the file says",
                                   .seq_len = m_use.seq_len,
                                   .inv_freq = inv_freq_of(s, m_use.seq_len),
                                   .attention_factor = m_use.attention_factor,
                                   .softmax_factor = m_use.softmax_factor,
                                   .differing_pair = {}});
  return std::move(m_use);
}

bool same_angles(const RopeUse& a, const RopeUse& b) {
  return a.pairs.size() == b.pairs.size() && a.scaling.head_dim == b.scaling.head_dim && a.apart == b.apart &&
         a.attention_factor == b.attention_factor &&
         std::ranges::equal(a.pairs, b.pairs,
                            [](const ConfigPair& x, const ConfigPair& y) { return x.inv_freq == y.inv_freq; });
}

}  // namespace

std::vector<RopeUse> read_gguf_ropes(const GgufModel& model) {
  std::vector<RopeUse> all;
  auto whole = GgufRopeReader(model, false).read();
  if (!whole) return all;
  all.push_back(std::move(*whole));
  if (model.window == 0) return all;
  auto local = GgufRopeReader(model, true).read();
  if (local && model.architecture.unscaled_windows && std::ranges::count(model.windowed, false) == 0) {
    all.front() = std::move(*local);
    return all;
  }
  if (!local || same_angles(all.front(), *local)) return all;
  all.front().layers = full_layers;
  local->layers = model.architecture.chunk > 0 ? chunked_layers : sliding_layers;
  all.push_back(std::move(*local));
  return all;
}

}  // namespace vqscope
