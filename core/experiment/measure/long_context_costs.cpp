// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/base/work.h"
#include "core/experiment/long_context/context_outputs.h"
#include "core/experiment/measure/measured_time.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index first_context_length = 256;
constexpr Index keys_learnt_from = 8192;
constexpr Index learning_steps = 30;
constexpr double learning_fraction = 0.1;  // of the progress, a guess

ContextSizes context_sizes(const ParameterValues& values, const MemorySetting& setting) {
  return {.d_k = setting.d_k,
          .d_v = setting.d_v,
          .segment_len = setting.segment_len,
          .window = values.integer("window"),
          .sinks = values.integer("sinks"),
          .xl_memory_len = values.integer("xl_memory_len"),
          .memory_len = values.integer("memory_len"),
          .top_k = values.integer("top_k"),
          .n_code = values.integer("n_code"),
          .block_len = values.integer("block_len"),
          .layers = values.integer("layers")};
}

std::vector<ContextSystemInfo> chosen_systems(const ParameterValues& values) {
  std::vector<ContextSystemInfo> chosen;
  const auto& ids = values.choices("systems");
  for (const ContextSystemInfo& info : context_system_infos())
    if (std::ranges::count(ids, info.id) > 0) chosen.push_back(info);
  return chosen;
}

bool needs_tokens(const std::string& quantity) { return quantity == "error" || quantity == "seconds"; }

/// Maximum number of tokens that fit in the memory for them.
Index most_computed(const MemorySetting& setting) {
  return static_cast<Index>(most_memory_bytes() / (4 * static_cast<double>(2 * setting.d_k + setting.d_v)));
}

const char* quantity_title(const std::string& quantity) {
  if (quantity == "error") return "relative error of the output";
  if (quantity == "reach") return "tokens that can influence the newest";
  if (quantity == "bytes") return "bytes kept by a head and layer";
  return quantity == "seconds" ? "seconds per token" : "floating-point operations per token";
}

/// Describes the keys, which decide whether a codebook can replace them.
std::string keys_text(const ParameterValues& values) {
  if (values.choice("data") != "planted") return "keys of your tensors";
  const Index clusters = values.integer("clusters");
  return clusters == 0 ? "independent keys, which no codebook can compress"
                       : fmt::format("keys in {} clusters of spread {}", clusters, to_text(values.real("spread")));
}

CurveSet context_axes(const ParameterValues& values, const std::string& quantity) {
  const bool measured = needs_tokens(quantity);
  return {.x_name = "length",
          .x_title = "tokens T",
          .y_title = quantity_title(quantity),
          .formula = fmt::format("for the newest token, one head, one layer except for the reach; error: mean of "
                                 "|o - o_full| / |o_full| over up to 32 tokens; memorizing and infini: the gate whose "
                                 "error is least, one for all of these; {}; seconds: "
                                 "one output from the kept state, median of {}, {}; {}",
                                 keys_text(values), values.integer("repeats"), machine_text(1),
                                 measured ? memory_measured : "counted, not performance of a model"),
          .log_x = true,
          .log_y = quantity != "error",
          .exact = false};
}

/// One quantity at increasing lengths, as far as there are tokens.
class LongContext {
 public:
  LongContext(const ParameterValues& values, const MemorySetting& setting, const Work& work)
      : m_values(values),
        m_quantity(values.choice("quantity")),
        m_sizes(context_sizes(values, setting)),
        m_systems(chosen_systems(values)),
        m_work(work),
        m_set(context_axes(values, m_quantity)) {
    m_set.x = powers_of_two(std::min(first_context_length, setting.q_length), setting.q_length);
    for (const ContextSystemInfo& info : m_systems) m_set.curves.push_back({info.id, {}});
    if (m_quantity == "seconds") add_spread_curves(m_set);
  }

  Result<CurveSet> counted() {
    for (const double length : m_set.x)
      for (std::size_t i = 0; i < m_systems.size(); ++i) {
        const ContextCosts costs = costs_of(m_systems[i].system, m_sizes, static_cast<Index>(length));
        m_set.curves[i].y.push_back(m_quantity == "reach"   ? costs.reach
                                    : m_quantity == "bytes" ? costs.bytes
                                                            : costs.operations);
      }
    return std::move(m_set);
  }

  Result<CurveSet> measured(MemorySetting setting) {
    const Index most = std::min(setting.q_length, most_computed(setting));
    setting.q_length = most;
    MemoryTokens tokens = memory_tokens(setting, m_work.stop);
    if (!setting.tokens) sharpen(tokens);
    if (m_work.stop.stop_requested()) return cancelled();
    auto codewords = learnt_codewords(tokens, most);
    if (!codewords) return codewords.error();
    ContextOutputs outputs(tokens, m_sizes, std::move(*codewords));
    for (const double x : m_set.x) {
      const auto length = static_cast<Index>(x);
      if (length <= most) outputs.go_on_to(length, m_work.stop);
      for (std::size_t i = 0; i < m_systems.size(); ++i) {
        if (m_work.stop.stop_requested()) return cancelled();
        add_spread(m_set, i, length <= most ? of(outputs, m_systems[i].system, length) : Spread());
      }
      if (m_work.stop.stop_requested()) return cancelled();
      if (m_work.partial) m_work.partial(m_set);
      m_work.report(learning_fraction + (1 - learning_fraction) * x / m_set.x.back());
    }
    m_set.facts = {{"measured_up_to", static_cast<double>(most)}};
    mark_skipped(m_set, fmt::format("more than {} of tokens", byte_count(most_memory_bytes())));
    return std::move(m_set);
  }

 private:
  void sharpen(MemoryTokens& tokens) const {
    const auto factor = static_cast<float>(m_values.real("sharpness"));
    for (float& number : tokens.queries) number *= factor;
  }

  Result<std::vector<float>> learnt_codewords(const MemoryTokens& tokens, Index length) const {
    const Index count = std::min(length, keys_learnt_from);
    auto learnt = learn_codebook(rows_of(matrix_of(tokens.keys, m_sizes.d_k), {0, count}),
                                 {.n_code = std::min(m_sizes.n_code, count),
                                  .steps = learning_steps,
                                  .seed = static_cast<std::uint64_t>(m_values.integer("seed"))},
                                 part_of(m_work, 0, learning_fraction));
    if (!learnt) return learnt.error();
    learnt->codewords.resize(static_cast<std::size_t>(m_sizes.n_code * m_sizes.d_k), 0);
    return std::move(learnt->codewords);
  }

  Spread of(const ContextOutputs& outputs, ContextSystem system, Index length) const {
    if (m_quantity == "seconds")
      return seconds_of({.progress = {}, .stop = m_work.stop}, m_values.integer("repeats"),
                        [&] { (void)outputs.output(system, length); });
    const double error = outputs.error(system, length, m_work.stop);
    return {error, error, error};
  }

  const ParameterValues& m_values;
  std::string m_quantity;
  ContextSizes m_sizes;
  std::vector<ContextSystemInfo> m_systems;
  const Work& m_work;
  CurveSet m_set;
};

Result<CurveSet> make_long_context_costs(const ParameterValues& values, const Work& work) {
  const bool numbers = needs_tokens(values.choice("quantity"));
  const auto setting = memory_setting(values, numbers);
  if (!setting) return setting.error();
  LongContext context(values, *setting, work);
  return numbers ? context.measured(*setting) : context.counted();
}

std::string long_context_remark(const ParameterValues& values, const Work&) {
  const std::string& quantity = values.choice("quantity");
  if (!needs_tokens(quantity)) return {};
  const auto setting = memory_setting(values, false);
  const std::string tensors = memory_remark(values);
  if (!setting || setting->q_length <= most_computed(*setting)) return tensors;
  const std::string limit = fmt::format(
      "{} is measured up to {} tokens, whose queries, keys and values take {}; the other quantities are "
      "counted up to {}",
      quantity, most_computed(*setting), byte_count(most_memory_bytes()), setting->q_length);
  return tensors.empty() ? limit : limit + ". " + tensors;
}

Result<void> check_long_context(const ParameterValues& values) {
  const auto setting = memory_setting(values, false);
  if (!setting) return setting.error();
  if (values.choices("systems").empty()) return invalid("systems is empty but must have at least one system");
  const Index top_k = values.integer("top_k"), memory_len = values.integer("memory_len");
  if (top_k > memory_len) return invalid("top_k is {} but must be 1 to {}, the keys in the memory", top_k, memory_len);
  return {};
}

ParameterSpec context_count(const char* name, const char* help, Index default_value, double minimum, double maximum) {
  return make_parameter(
      name, "Systems", help,
      {.default_value = default_value, .minimum = minimum, .maximum = maximum, .logarithmic = minimum > 0});
}

std::vector<ParameterSpec> long_context_parameters() {
  std::vector<Choice> systems;
  std::vector<std::string> all;
  for (const ContextSystemInfo& info : context_system_infos()) {
    systems.push_back({info.id, info.help});
    all.push_back(info.id);
  }
  constexpr double longest = 2097152;
  std::vector<ParameterSpec> specs{
      make_parameter("quantity", "Curve", "Quantity to compare.",
                     {.default_value = std::string("error"),
                      .choices = {{"error", "difference of outputs from those of full attention, measured"},
                                  {"reach", "tokens that can influence the newest one through all layers, counted"},
                                  {"bytes", "memory of keys, values and states, counted"},
                                  {"operations", "floating-point operations for one token, counted"},
                                  {"seconds", "time for one token on this machine, measured"}}}),
      make_parameter("systems", "Systems", "Systems to compare.",
                     {.default_value = all, .choices = std::move(systems)}),
      context_count("window", "Number of keys of window and of sinks.", 1024, 1, longest),
      context_count("sinks", "Number of first keys of sinks.", 4, 0, longest),
      context_count("xl_memory_len", "Number of tokens in the memory of transformer_xl.", 512, 0, longest),
      context_count("memory_len", "Number of keys in the memory of memorizing.", 8192, 1, longest),
      context_count("top_k", "Number of keys that memorizing retrieves.", 32, 1, 65536),
      context_count("n_code", "Number of codewords of vq.", 64, 1, 65536),
      context_count("block_len", "Number of tokens in a block of vq.", 128, 1, longest),
      context_count("layers", "Number of layers, for the reach.", 12, 1, 512)};
  for (auto& spec : memory_parameters()) specs.push_back(std::move(spec));
  for (const char* name : {"q_length", "segment_len"}) spec_of(specs, name).maximum = longest;
  spec_of(specs, "q_length").help = "Length of the longest sequence T; the others are powers of two.";
  spec_of(specs, "q_length").default_value = Index{32768};
  spec_of(specs, "segment_len").default_value = Index{512};
  add_parameter(specs, "clusters", "Data", "Number of cluster centres of the synthetic keys.",
                {.default_value = Index{48},
                 .minimum = 0,
                 .maximum = 65536,
                 .automatic = "independent keys, which no codebook can compress",
                 .relevant = {{"data", {"planted"}}}});
  add_parameter(specs, "spread", "Data",
                "Standard deviation of keys around their cluster centre, relative to that of the centres.",
                {.default_value = 0.3, .minimum = 0, .maximum = 100, .relevant = {{"data", {"planted"}}}});
  specs.push_back({.name = "sharpness",
                   .label = "Sharpness",
                   .group = "Data",
                   .help =
                       "Factor of all scores of synthetic tokens. With a higher one, a query's planted key takes more "
                       "of its attention.",
                   .kind = ParameterKind::real,
                   .default_value = 3.0,
                   .minimum = 0.01,
                   .maximum = 100,
                   .relevant = {{"data", {"planted"}}}});
  specs.push_back(repeats_parameter());
  specs.back().relevant = {{"quantity", {"seconds"}}};
  return specs;
}

}  // namespace

Method long_context_costs_method() {
  return {.id = "long_context_costs",
          .title = "Long contexts side by side",
          .help = "Error, reach, memory and cost of eight systems for long sequences. Full attention is one of them.",
          .citation = {"Dai et al. 2019; Wu et al. 2022; Xiao et al. 2023; Lingle 2023; Munkhdalai et al. 2024",
                       "the methods of the page Memory and of VQ attention"},
          .parameters = long_context_parameters(),
          .check = check_long_context,
          .remark = long_context_remark,
          .recipe = CurveRecipe{.make = make_long_context_costs, .origin = CurveOrigin::measured, .clocked = true}};
}

}  // namespace vqscope
