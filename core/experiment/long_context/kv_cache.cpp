// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/kv_cache.h"

#include "core/base/sentence.h"
#include "core/experiment/long_context/cached_model.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;
constexpr Index shortest_sequence = 64;
constexpr Index most_length = Index{1} << 31;
constexpr const char* given = "custom";

/// Bytes per number for the choice `dtype`.
double bytes_of_type(const std::string& dtype) {
  if (dtype == "float32") return 4;
  if (dtype == "int4") return 0.5;
  return dtype == "float8" ? 1 : 2;
}

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

/// Bytes that a sequence needs by its number of tokens.
class Need {
 public:
  explicit Need(const ParameterValues& values)
      : m_model(model_of(values)),
        m_scores(values.choice("quantity") == "scores"),
        m_each(bytes_of_type(values.choice("dtype")) * static_cast<double>(values.integer("batch"))) {}

  const CachedModel& model() const { return m_model; }
  double at(double tokens) const {
    if (m_scores) return m_each * static_cast<double>(m_model.heads) * tokens * tokens;
    return m_each * m_model.numbers() * m_model.kept_tokens(tokens);
  }
  /// Bytes if every layer kept every token.
  double without_windows(double tokens) const {
    return m_each * m_model.numbers() * static_cast<double>(m_model.layers) * tokens;
  }
  bool has_windows() const { return !m_scores && m_model.full_layers < m_model.layers; }
  /// Maximum number of tokens that need at most `bytes`; most_length if all fit, 0 if none does.
  Index most_tokens(double bytes) const {
    Index fits = 0, fails = most_length + 1;
    while (fails - fits > 1) {
      const Index middle = fits + (fails - fits) / 2;
      (at(static_cast<double>(middle)) <= bytes ? fits : fails) = middle;
    }
    return std::min(fits, most_length);
  }

 private:
  CachedModel m_model;
  bool m_scores;
  double m_each;
};

CurveSet cache_axes(const ParameterValues& values, const Need& need) {
  const CachedModel& model = need.model();
  const bool scores = values.choice("quantity") == "scores";
  const std::string kept = model.latent ? "one vector" : "key and value";
  return {.x_name = "tokens",
          .x_title = "tokens T of a sequence",
          .y_title = scores ? "bytes of the scores of one layer" : "bytes of the KV cache",
          .formula = scores ? fmt::format("{}: batch × {} heads × T² × bytes per number", model.name, model.heads)
                            : fmt::format("{}: batch × {} numbers ({} of {} dimensions for {} heads) × bytes per "
                                          "number × tokens kept in all layers; {} of {} layers keep all{}",
                                          model.name, plain_text(model.numbers()), kept, model.head_dim, model.kv_heads,
                                          model.full_layers, model.layers,
                                          model.window > 0 ? fmt::format(", the others {}", model.window) : ""),
          .log_x = true,
          .log_y = true,
          .x = powers_of_two(shortest_sequence, values.integer("length_max")),
          .curves = {{scores ? "scores" : "cache", {}}},
          .exact = false};
}

Result<CurveSet> make_kv_cache(const ParameterValues& values, const Work&) {
  const Need need(values);
  CurveSet set = cache_axes(values, need);
  if (need.has_windows()) set.curves.push_back({"every layer keeps all", {}});
  for (const double tokens : set.x) {
    set.curves[0].y.push_back(need.at(tokens));
    if (need.has_windows()) set.curves[1].y.push_back(need.without_windows(tokens));
  }
  const double memory = values.real("memory") * gibibyte, free = memory - values.real("weights") * gibibyte;
  set.levels = {
      {free, free < memory ? fmt::format("{} free of {}", byte_count(free), byte_count(memory)) : byte_count(memory)}};
  const Index most = need.most_tokens(free);
  if (most >= shortest_sequence && static_cast<double>(most) <= set.x.back())
    set.marks = {{static_cast<double>(most), fmt::format("{} tokens fit", grouped(most))}};
  set.facts = {{"longest", most > 0 ? static_cast<double>(most) : no_value},
               {"bytes_of_a_token", need.at(1)},
               {"bytes", set.curves[0].y.back()}};
  return set;
}

std::string kv_cache_remark(const ParameterValues& values, const Work&) {
  const Need need(values);
  const double free = (values.real("memory") - values.real("weights")) * gibibyte;
  const Index most = need.most_tokens(free), length = values.integer("length_max");
  const std::string all = fmt::format("{} tokens need {}", length, byte_count(need.at(static_cast<double>(length))));
  if (most == 0) return fmt::format("{}; no token fits into {}", all, byte_count(free));
  if (most >= most_length) return fmt::format("{}; {} hold more than {} tokens", all, byte_count(free), most);
  return fmt::format("{}; {} hold {} tokens", all, byte_count(free), most);
}

Result<void> check_kv_cache(const ParameterValues& values) {
  if (values.real("weights") >= values.real("memory"))
    return invalid("weights is {} GiB, must be less than memory, {} GiB", plain_text(values.real("weights")),
                   plain_text(values.real("memory")));
  if (values.choice("model") == given && values.integer("full_layers") > values.integer("layers"))
    return invalid("full_layers is {}, must be at most layers, {}", values.integer("full_layers"),
                   values.integer("layers"));
  return {};
}

std::vector<ParameterSpec> model_sizes_of_a_cache() {
  std::vector<ParameterSpec> specs;
  const auto add = [&](const char* name, const char* help, Index fallback, double minimum, double maximum) {
    specs.push_back({.name = name,
                     .group = "Model",
                     .help = help,
                     .fallback = fallback,
                     .minimum = minimum,
                     .maximum = maximum,
                     .relevant = {{"model", {given}}}});
  };
  add("layers", "Number of layers.", 32, 1, 1024);
  add("kv_heads", "Number of key/value heads.", 8, 1, 1024);
  add("num_heads", "Number of query heads.", 32, 1, 1024);
  add("head_dim", "Number of dimensions per head.", 128, 1, 65536);
  add("window", "Number of tokens that layers with a sliding window keep; 0: no such layers.", 0, 0, most_length);
  add("full_layers", "Number of layers that keep every token, if others have a window.", 0, 0, 1024);
  return specs;
}

std::vector<ParameterSpec> kv_cache_parameters() {
  std::vector<Choice> models;
  for (const CachedModel& model : cached_models()) models.push_back({std::string(model.id), std::string(model.name)});
  models.push_back({given, "the sizes below"});
  std::vector<ParameterSpec> specs{
      {.name = "quantity",
       .group = "View",
       .help = "Quantity to count.",
       .kind = ParameterKind::choice,
       .fallback = std::string("cache"),
       .choices = {{"cache", "keys and values of all layers"},
                   {"scores", "the scores of one layer, all stored at once, as attention without tiles does"}}},
      {.name = "model",
       .group = "Model",
       .help = "Model whose sizes are used.",
       .kind = ParameterKind::choice,
       .fallback = std::string("llama_3_1_8b"),
       .choices = std::move(models)}};
  for (auto& size : model_sizes_of_a_cache()) specs.push_back(std::move(size));
  specs.push_back({.name = "dtype",
                   .group = "Memory",
                   .help = "Type of the numbers.",
                   .kind = ParameterKind::choice,
                   .fallback = std::string("bfloat16"),
                   .choices = {{"float32", "4 bytes"},
                               {"bfloat16", "2 bytes, like float16"},
                               {"float8", "1 byte, like int8"},
                               {"int4", "half a byte, scales not counted"}}});
  specs.push_back({.name = "batch",
                   .group = "Memory",
                   .help = "Number of sequences.",
                   .fallback = Index{1},
                   .minimum = 1,
                   .maximum = 1048576,
                   .logarithmic = true});
  specs.push_back({.name = "memory",
                   .group = "Memory",
                   .help = "Memory of the device.",
                   .kind = ParameterKind::real,
                   .fallback = 80.0,
                   .minimum = 0.001,
                   .maximum = 1048576,
                   .logarithmic = true,
                   .unit = "GiB"});
  specs.push_back({.name = "weights",
                   .group = "Memory",
                   .help = "Part of the memory that weights and everything else take.",
                   .kind = ParameterKind::real,
                   .fallback = 0.0,
                   .minimum = 0,
                   .maximum = 1048576,
                   .unit = "GiB"});
  specs.push_back({.name = "length_max",
                   .group = "View",
                   .help = "Longest sequence on the axis.",
                   .fallback = Index{2097152},
                   .minimum = 64,
                   .maximum = static_cast<double>(most_length),
                   .logarithmic = true,
                   .unit = "tokens"});
  return specs;
}

}  // namespace

Method kv_cache_method() {
  return {.id = "kv_cache",
          .title = "KV cache calculator",
          .category = "experiments",
          .help = "Bytes of the keys and values that a model keeps, and the longest sequence that fits; counted.",
          .citation = {"Shazeer 2019, Fast Transformer Decoding, section 2.4", "config.json of the published models"},
          .parameters = kv_cache_parameters(),
          .check = check_kv_cache,
          .remark = kv_cache_remark,
          .recipe = CurveRecipe{.make = make_kv_cache}};
}

}  // namespace vqscope
