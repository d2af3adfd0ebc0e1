// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/bias/chosen_bias.h"

#include "core/attention/tensor_view.h"
#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/phase/rope_table.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/mask/language/plain_mask.h"
#include "core/method/shared/borrowed.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

const std::string no_bias = "none";
const std::string transformer_xl = "transformer_xl";

/// Additive biases that are not the same at every distance.
std::vector<const Method*> biases() {
  std::vector<const Method*> some;
  for (const auto* method : bias_methods())
    if (!method->bias->zero) some.push_back(method);
  return some;
}

/// The method's values for one head of several.
ParameterValues for_head(const Method& method, ParameterValues values, Index head, Index heads) {
  if (heads == 1 || !find_spec(method.parameters, "head")) return values;
  values.set("num_heads", heads);
  values.set("head", head);
  return values;
}

/// Number of functions: one for all heads, or one per head.
Index parts_of(const Method& method, const BiasShape& shape) {
  return find_spec(method.parameters, "head") ? shape.heads : 1;
}

Result<void> check_bias(const ParameterValues& values, const BiasShape& shape) {
  const std::string& id = values.choice("bias");
  if (id == transformer_xl && shape.d_k % 2 != 0)
    return invalid("d_k is {} but must be even for bias = transformer_xl", shape.d_k);
  const Method* method = find_bias(id);
  for (Index head = 0; method && head < parts_of(*method, shape); ++head)
    if (auto checked = check_borrowed(*method, for_head(*method, values, head, shape.heads)); !checked) return checked;
  return {};
}

/// One per head, or one for all. A head alone takes its own number.
Result<std::vector<float>> sinks_of(const ParameterValues& values, const BiasShape& shape) {
  if (!values.find("sinks")) return std::vector<float>();
  const auto& given = values.reals("sinks");
  if (given.size() <= 1 || given.size() == static_cast<std::size_t>(shape.heads))
    return std::vector<float>(given.begin(), given.end());
  if (shape.heads > 1)
    return invalid("sinks has {} numbers but must have 1, or {}, one for each head", given.size(), shape.heads);
  const Index head = std::max<Index>(values.find("head") ? values.integer("head") : 0, 0);
  if (head >= static_cast<Index>(given.size()))
    return invalid("sinks has {} numbers, none of which is for head {}: it must have 1, or one for each head",
                   given.size(), head);
  return std::vector<float>{static_cast<float>(given[static_cast<std::size_t>(head)])};
}

/// Sinusoids [sin | cos] of the distances 0 to window (Dai et al. 2019, section 3.3), times
/// d_k^(-1/4) like the keys of the paper.
std::vector<float> relative_vectors(Index window, Index d_k, double base) {
  const auto rates = turns_of(rope_frequencies({.head_dim = d_k, .rope_theta = base}).inv_freq);
  const auto pairs = static_cast<std::ptrdiff_t>(rates.size());
  std::vector<float> cos(static_cast<std::size_t>((window + 1) * d_k / 2));
  std::vector<float> sin(cos.size());
  RopeTable(rates).fill(0, window + 1, cos.data(), sin.data());
  std::vector<float> vectors;
  for (auto s = sin.begin(), c = cos.begin(); s != sin.end(); s += pairs, c += pairs) {
    vectors.insert(vectors.end(), s, s + pairs);
    vectors.insert(vectors.end(), c, c + pairs);
  }
  const float scale = std::pow(static_cast<float>(d_k), -0.25F);
  for (float& x : vectors) x *= scale;
  return vectors;
}

}  // namespace

std::vector<ParameterSpec> bias_parameters() {
  const char* group = "Bias";
  ParameterSpec bias = make_parameter(
      "bias", group, "Bias added to the score, a function of the distance between query and key.",
      {.default_value = no_bias,
       .choices = {{no_bias, "nothing"}, {transformer_xl, "q·r within block_len, r the sinusoid of the distance"}}});
  ParameterSpec clipped =
      make_parameter("clipped", group, "Keys farther away than block_len get the bias of distance block_len.",
                     {.default_value = false, .relevant = {{"bias", {}}}});
  for (const auto* method : biases()) {
    bias.choices.push_back({method->id, method->title});
    clipped.relevant[0].values.push_back(method->id);
  }
  std::vector<ParameterSpec> specs{
      std::move(bias), std::move(clipped),
      make_parameter("xl_base", group,
                     "Base of the sinusoids of transformer_xl: 10,000 in its paper, 100,000 in Transformer-VQ.",
                     {.default_value = 10000.0,
                      .minimum = 2,
                      .maximum = 1e15,
                      .logarithmic = true,
                      .relevant = {{"bias", {transformer_xl}}}})};
  for (const auto* method : biases()) borrow_parameters(specs, method->parameters, "bias", method->id);
  for (auto& spec : specs) spec.group = group;
  add_parameter(specs, "sinks", group,
                "Logit of a learned sink, one number for all heads or one for each: the softmax adds e^sink to its sum "
                "and no value.",
                {.label = "Sink",
                 .default_value = std::vector<double>{},
                 .minimum = -10000,
                 .maximum = 10000,
                 .automatic = "no sink",
                 .most_items = 1024});
  add_parameter(specs, "mask", group,
                "Additional mask in the mask language, combined with the causal mask: q_idx - kv_idx < 128, "
                "for example. Empty: causal only.",
                {.kind = ParameterKind::text,
                 .default_value = std::string(),
                 .in_summary = InSummary::never,
                 .text_form = TextForm::mask});
  return specs;
}

Result<void> ChosenBias::check(const ParameterValues& values, const BiasShape& shape) {
  if (auto checked = check_bias(values, shape); !checked) return checked;
  if (auto sinks = sinks_of(values, shape); !sinks) return sinks.error();
  if (!values.find("mask") || trimmed(values.text("mask")).empty()) return {};
  const auto program = plain_program(values.text("mask"));
  return program ? Result<void>() : program.error();
}

Result<ChosenBias> ChosenBias::make(const ParameterValues& values, const BiasShape& shape, const Work& work) {
  ChosenBias chosen(shape);
  if (auto taken = chosen.take_bias(values); !taken) return taken.error();
  if (values.find("mask"))
    if (auto taken = chosen.take_mask(values.text("mask"), work); !taken) return taken.error();
  auto sinks = sinks_of(values, shape);
  if (!sinks) return sinks.error();
  chosen.m_sinks = std::move(*sinks);
  chosen.m_whole =
      chosen.up_to(chosen.m_clipped || chosen.m_transformer_xl ? shape.window : shape.length - 1, work.stop);
  chosen.check_hypothesis(work.stop);
  if (work.stop.stop_requested()) return cancelled();
  if (const Index blind = chosen.m_mask ? chosen.m_mask->blind : 0; blind > 0)
    chosen.m_hypothesis.sentence +=
        fmt::format("; {} of {} queries have no visible key; their output is 0", blind, shape.length);
  return chosen;
}

Result<void> ChosenBias::take_bias(const ParameterValues& values) {
  if (auto checked = check_bias(values, m_shape); !checked) return checked;
  const std::string& id = values.choice("bias");
  m_transformer_xl = id == transformer_xl;
  if (values.find("xl_base")) m_xl_base = values.real("xl_base");
  const Method* method = find_bias(id);
  if (!method) return {};
  m_clipped = values.boolean("clipped");
  for (Index head = 0; head < parts_of(*method, m_shape); ++head) {
    auto function = borrowed_function(*method, for_head(*method, values, head, m_shape.heads));
    if (!function) return function.error();
    m_functions.push_back(std::move(*function));
  }
  return {};
}

Result<void> ChosenBias::take_mask(const std::string& text, const Work& work) {
  if (trimmed(text).empty()) return {};
  auto checked = checked_mask(text, m_shape.length, m_shape.window, work);
  if (!checked) return checked.error();
  m_mask = std::move(*checked);
  return {};
}

void ChosenBias::check_hypothesis(const std::stop_token& stop) {
  const Index window = m_shape.window;
  if (only_sinks()) {
    m_hypothesis.sentence = "no bias and no mask: the linear form is exact";
    return;
  }
  const bool farther = window + 1 < m_shape.length;
  if (m_mask) check_mask();
  const bool hidden = farther && m_mask && !m_mask->mask->visible(window + 1, 0);
  if (!m_hypothesis.constant || hidden || (m_mask && !m_mask->distances)) return;
  if (m_transformer_xl && farther)
    m_hypothesis.sentence = fmt::format("the bias is 0 at every distance beyond {}: the linear form is exact", window);
  else if (m_clipped && farther)
    m_hypothesis.sentence = fmt::format("the bias is clipped at distance {}: the linear form is exact", window);
  else
    check_functions(stop);
}

void ChosenBias::check_mask() {
  m_hypothesis = m_mask->hypothesis;
  if (!m_hypothesis.constant || m_mask->distances) return;
  m_hypothesis.sentence = "the mask is constant beyond distance " + to_text(m_shape.window) +
                          " and depends on more than the distance within it, which only the quadratic form supports";
}

/// If heads differ, the sentence is about the first head for which the hypothesis does not hold.
void ChosenBias::check_functions(const std::stop_token& stop) {
  for (std::size_t head = 0; head < m_functions.size() && m_hypothesis.constant; ++head) {
    m_hypothesis = check_window(m_functions[head], m_shape.window, m_shape.length, stop);
    if (m_functions.size() > 1) m_hypothesis.sentence = fmt::format("for head {}, {}", head, m_hypothesis.sentence);
  }
  if (m_functions.empty() && !m_mask)
    m_hypothesis.sentence =
        fmt::format("no token is farther than {} behind another: the linear form is exact", m_shape.window);
}

LocalBias ChosenBias::up_to(Index wanted, const std::stop_token& stop) const {
  const Index window = std::min(wanted, m_shape.length - 1);  // no distance is larger
  LocalBias all{.window = window};
  all.sinks = m_sinks;
  if (m_transformer_xl) all.relative = relative_vectors(window, m_shape.d_k, m_xl_base);
  for (const auto& function : m_functions) {
    const LocalBias one = m_clipped ? clipped_bias(function, window, stop) : local_bias(function, window, stop);
    all.values.insert(all.values.end(), one.values.begin(), one.values.end());
    all.beyond.insert(all.beyond.end(), one.beyond.begin(), one.beyond.end());
  }
  return all;
}

Result<LocalBias> ChosenBias::for_linear_form() const {
  if (!m_hypothesis.constant || (m_mask && !m_mask->distances))
    return invalid("form is linear, but " + m_hypothesis.sentence);
  LocalBias near = within_window();
  if (!m_mask) return near;
  const Index heads = std::max<Index>(1, static_cast<Index>(m_functions.size()));
  near.values.resize(static_cast<std::size_t>(heads * (near.window + 1)));
  near.beyond.resize(static_cast<std::size_t>(heads));
  const bool hides_beyond = m_shape.length > near.window + 1 && !m_mask->mask->visible(near.window + 1, 0);
  for (Index head = 0; head < heads; ++head) {
    hide_others(*m_mask->distances, {0, near.window + 1}, near.values.data() + head * (near.window + 1));
    if (hides_beyond) near.beyond[static_cast<std::size_t>(head)] = hidden_score;
  }
  return near;
}

}  // namespace vqscope
