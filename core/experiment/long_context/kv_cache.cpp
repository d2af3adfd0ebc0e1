// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/kv_cache.h"

#include "core/base/sentence.h"
#include "core/experiment/methods.h"
#include "core/method/curve_set.h"
#include "core/schedule/cache/layer_cache.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr const char* given = "custom";

CachedModel model_of(const ParameterValues& values) {
  for (const CachedModel& model : cached_models())
    if (model.id == values.choice("model")) return model;
  CachedModel own{.id = given,
                  .name = "custom model",
                  .layers = values.integer("layers"),
                  .kv_heads = values.integer("kv_heads"),
                  .head_dim = values.integer("head_dim"),
                  .full_layers = values.integer("full_layers"),
                  .window = values.integer("window"),
                  .heads = values.integer("num_heads")};
  if (own.window == 0) own.full_layers = own.layers;
  return own;
}

/// Bytes that a sequence needs by its number of tokens: of its cache, or of the scores of a layer.
class Need {
 public:
  explicit Need(const ParameterValues& values)
      : m_model(model_of(values)),
        m_schedule(m_model.schedule()),
        m_use(cache_use(values)),
        m_scores(values.choice("quantity") == "scores") {}

  double at(double tokens) const {
    if (m_scores) return bytes_of_a_score() * tokens * tokens;
    return cache_bytes(m_schedule, static_cast<Index>(tokens), m_use);
  }
  /// Maximum number of tokens that need at most `bytes`; longest_cached if all fit, 0 if none does.
  Index most_tokens(double bytes) const {
    if (!m_scores) return most_cached_tokens(m_schedule, bytes, m_use);
    const double most = std::floor(std::sqrt(bytes / bytes_of_a_score()));
    return static_cast<Index>(std::min(most, static_cast<double>(longest_cached)));
  }
  CurveSet curves(const ParameterValues& values) const { return m_scores ? of_scores(values) : of_cache(values); }

 private:
  double bytes_of_a_score() const {
    return static_cast<double>(m_use.bits * m_use.batch) / 8 * static_cast<double>(m_model.heads);
  }
  CurveSet of_scores(const ParameterValues& values) const {
    CurveSet set =
        cache_axes(values, fmt::format("{}: batch × {} heads × T² × bytes per number", m_model.name, m_model.heads));
    set.y_title = "bytes of the scores of one layer";
    set.curves = {{"scores", {}}};
    for (const double tokens : set.x) set.curves[0].y.push_back(at(tokens));
    return set;
  }
  CurveSet of_cache(const ParameterValues& values) const {
    const std::string windows = m_model.window > 0 ? fmt::format(", the others {}", m_model.window) : "";
    CurveSet set = cache_axes(
        values,
        fmt::format("{}: batch × {} numbers ({} of {} dimensions for {} heads) × bytes per number × tokens kept "
                    "in all layers; {} of {} layers keep all{}",
                    m_model.name, cached_numbers(m_schedule.layers.back()),
                    m_model.latent ? "one vector" : "key and value", m_model.head_dim, m_model.kv_heads,
                    m_model.full_layers, m_model.layers, windows));
    add_cache_curve(set, "cache", m_schedule, m_use);
    if (m_model.full_layers < m_model.layers)
      add_cache_curve(set, "every layer keeps all", all_full(m_schedule), m_use);
    return set;
  }

  CachedModel m_model;
  LayerSchedule m_schedule;
  CacheUse m_use;
  bool m_scores;
};

Result<CurveSet> make_kv_cache(const ParameterValues& values, const Work&) {
  const Need need(values);
  CurveSet set = need.curves(values);
  add_cache_fit(set, values, need.most_tokens(free_memory(values)));
  set.facts.emplace_back("bytes_of_a_token", need.at(1));
  set.facts.emplace_back("bytes", set.curves[0].y.back());
  return set;
}

std::string kv_cache_remark(const ParameterValues& values, const Work&) {
  const Need need(values);
  return cache_fit_text(
      values, {need.most_tokens(free_memory(values)), need.at(static_cast<double>(values.integer("length_max")))});
}

Result<void> check_kv_cache(const ParameterValues& values) {
  if (auto checked = check_cache_memory(values); !checked) return checked;
  if (values.choice("model") == given && values.integer("full_layers") > values.integer("layers"))
    return invalid("full_layers is {} but must be at most layers, {}", values.integer("full_layers"),
                   values.integer("layers"));
  return {};
}

std::vector<ParameterSpec> model_sizes_of_a_cache() {
  std::vector<ParameterSpec> specs;
  const auto add = [&](const char* name, const char* help, Index default_value, double minimum, double maximum) {
    add_parameter(
        specs, name, "Model", help,
        {.default_value = default_value, .minimum = minimum, .maximum = maximum, .relevant = {{"model", {given}}}});
  };
  add("layers", "Number of layers.", 32, 1, 1024);
  add("kv_heads", "Number of key/value heads.", 8, 1, 1024);
  add("num_heads", "Number of query heads.", 32, 1, 1024);
  add("head_dim", "Number of dimensions per head.", 128, 1, 65536);
  add("window", "Number of tokens that layers with a sliding window keep; 0: no such layers.", 0, 0, longest_cached);
  add("full_layers", "Number of layers that keep every token, if others have a window.", 0, 0, 1024);
  return specs;
}

std::vector<ParameterSpec> kv_cache_parameters() {
  std::vector<Choice> models;
  for (const CachedModel& model : cached_models()) models.push_back({std::string(model.id), std::string(model.name)});
  models.push_back({given, "the sizes below"});
  std::vector<ParameterSpec> specs{
      make_parameter(
          "quantity", "View", "Quantity to count.",
          {.default_value = std::string("cache"),
           .choices = {{"cache", "keys and values of all layers"},
                       {"scores", "the scores of one layer, all stored at once, as attention without tiles does"}}}),
      make_parameter("model", "Model", "Model whose sizes are used.",
                     {.default_value = std::string("llama_3_1_8b"), .choices = std::move(models)})};
  for (auto& size : model_sizes_of_a_cache()) specs.push_back(std::move(size));
  for (auto& spec : layer_cache_parameters()) specs.push_back(std::move(spec));
  return specs;
}

}  // namespace

LayerSchedule CachedModel::schedule() const {
  ModelLayer full{.num_key_value_heads = kv_heads, .head_dim = head_dim};
  if (latent) full.latent = head_dim;
  ModelLayer other = full;
  other.attention = LayerAttention::sliding;
  other.window = window;
  LayerSchedule made;
  made.layers.assign(static_cast<std::size_t>(layers - full_layers), other);
  made.layers.resize(static_cast<std::size_t>(layers), full);
  return made;
}

std::span<const CachedModel> cached_models() {
  // clang-format off
  static constexpr CachedModel all[]{
      //                                               layers kv  dim full window heads
      {"gpt_3", "GPT-3 175B",                           96, 96, 128, 96,     0,  96},
      {"llama_2_7b", "Llama 2 7B",                      32, 32, 128, 32,     0,  32},
      {"llama_2_70b", "Llama 2 70B",                    80,  8, 128, 80,     0,  64},
      {"llama_3_1_8b", "Llama 3.1 8B",                  32,  8, 128, 32,     0,  32},
      {"llama_3_1_70b", "Llama 3.1 70B",                80,  8, 128, 80,     0,  64},
      {"llama_3_1_405b", "Llama 3.1 405B",             126,  8, 128, 126,    0, 128},
      {"llama_3_2_1b", "Llama 3.2 1B",                  16,  8,  64, 16,     0,  32},
      {"mistral_7b", "Mistral 7B v0.1",                 32,  8, 128,  0,  4096,  32},
      {"qwen2_5_7b", "Qwen2.5 7B",                      28,  4, 128, 28,     0,  28},
      {"gemma_2_9b", "Gemma 2 9B",                      42,  8, 256, 21,  4096,  16},
      {"gemma_3_27b", "Gemma 3 27B",                    62, 16, 128, 10,  1024,  32},
      {"gpt_oss_20b", "gpt-oss 20B",                    24,  8,  64, 12,   128,  64},
      {"gpt_oss_120b", "gpt-oss 120B",                  36,  8,  64, 18,   128,  64},
      {"deepseek_v3", "DeepSeek-V3, 512 + 64 of MLA",   61,  1, 576, 61,     0, 128, true},
  };
  // clang-format on
  return all;
}

Method kv_cache_method() {
  return {.id = "kv_cache",
          .title = "KV cache calculator",
          .help = "Bytes of a model's keys and values, and the longest sequence that fits. Counted, not measured.",
          .citation = {"Shazeer 2019, Fast Transformer Decoding, section 2.4", "config.json of the published models"},
          .parameters = kv_cache_parameters(),
          .check = check_kv_cache,
          .remark = kv_cache_remark,
          .recipe = CurveRecipe{.make = make_kv_cache}};
}

}  // namespace vqscope
