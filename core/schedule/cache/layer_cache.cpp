// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/cache/layer_cache.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

/// 2^31 tokens of 4096 layers with 2^33 numbers each leave 64 bits.
__extension__ using Wide = unsigned __int128;

/// Entries that the indexer keeps: one for each compressed entry, or for each group of tokens, a
/// begun one included.
Index indexed(const ModelLayer& layer, Index tokens) {
  if (layer.attention == LayerAttention::compressed) return tokens / layer.compress_ratio;
  const Index pool = std::max<Index>(layer.index_pool, 1);
  return (tokens + pool - 1) / pool;
}

Wide numbers_kept(const ModelLayer& layer, Index tokens) {
  const Index state = layer.attention == LayerAttention::state ? layer.state_numbers : 0;
  const Index indexes = selects_keys(layer) ? layer.index_dim : 0;
  return static_cast<Wide>(cached_numbers(layer)) * static_cast<Wide>(cached_tokens(layer, tokens)) +
         static_cast<Wide>(indexes) * static_cast<Wide>(indexed(layer, tokens)) + static_cast<Wide>(state);
}

Wide numbers_kept(const LayerSchedule& schedule, Index tokens) {
  Wide sum = 0;
  for (const ModelLayer& layer : schedule.layers) sum += numbers_kept(layer, tokens);
  return sum;
}

double bytes_of(Wide numbers, const CacheUse& use) {
  return static_cast<double>(numbers) * static_cast<double>(use.bits) * static_cast<double>(use.batch) / 8;
}

bool has_cache(const ModelLayer& layer) {
  const bool attends = layer.attention != LayerAttention::state && layer.attention != LayerAttention::none;
  return attends && layer.shares_kv_with < 0;
}

constexpr double gibibyte = 1024.0 * 1024 * 1024;
constexpr Index shortest_sequence = 64;

struct CacheType {
  const char* id;
  const char* help;
  Index bits;
};
constexpr std::array types{CacheType{"float32", "4 bytes", 32}, CacheType{"bfloat16", "2 bytes, like float16", 16},
                           CacheType{"float8", "1 byte, like int8", 8},
                           CacheType{"int4", "half a byte, scales not counted", 4}};

ParameterSpec type_parameter() {
  ParameterSpec spec =
      make_parameter("dtype", "Memory", "Type of the numbers.", {.default_value = std::string("bfloat16")});
  for (const CacheType& type : types) spec.choices.push_back({type.id, type.help});
  return spec;
}

ParameterSpec gibibytes(std::string name, std::string help, double default_value, double minimum, bool logarithmic) {
  return make_parameter(std::move(name), "Memory", std::move(help),
                        {.default_value = default_value,
                         .minimum = minimum,
                         .maximum = 1048576,
                         .logarithmic = logarithmic,
                         .unit = "GiB"});
}

}  // namespace

Index cached_numbers(const ModelLayer& layer) {
  if (!has_cache(layer)) return 0;
  if (layer.latent > 0) return layer.latent;
  return layer.num_key_value_heads * (layer.head_dim + (layer.v_head_dim > 0 ? layer.v_head_dim : layer.head_dim));
}

Index cached_tokens(const ModelLayer& layer, Index tokens) {
  if (!has_cache(layer)) return 0;
  if (layer.attention == LayerAttention::compressed)
    return std::min(tokens, layer.window) + tokens / layer.compress_ratio;
  const bool all = layer.window == 0 || layer.attention == LayerAttention::sparse;
  return all ? tokens : std::min(tokens, layer.window);
}

bool knows_cache(const ModelLayer& layer) {
  if (layer.attention == LayerAttention::state) return layer.state_numbers > 0;
  return !has_cache(layer) || cached_numbers(layer) > 0;
}

Index unknown_caches(const LayerSchedule& schedule) {
  return std::ranges::count_if(schedule.layers, [](const ModelLayer& layer) { return !knows_cache(layer); });
}

double cache_bytes(const ModelLayer& layer, Index tokens, const CacheUse& use) {
  return bytes_of(numbers_kept(layer, tokens), use);
}

double cache_bytes(const LayerSchedule& schedule, Index tokens, const CacheUse& use) {
  return bytes_of(numbers_kept(schedule, tokens), use);
}

LayerSchedule all_full(LayerSchedule schedule) {
  for (ModelLayer& layer : schedule.layers) {
    if (layer.attention == LayerAttention::state || layer.attention == LayerAttention::none) continue;
    layer.attention = LayerAttention::full;
    layer.window = layer.compress_ratio = layer.topk = layer.topk_block = layer.index_dim = layer.index_pool = 0;
    layer.index_pairs.reset();
  }
  return schedule;
}

Index most_cached_tokens(const LayerSchedule& schedule, double budget, const CacheUse& use) {
  constexpr double widest = 0x1p100;  // more than any cache takes, and a whole number of Wide
  if (!(budget >= 0)) return 0;
  const Wide bits = static_cast<Wide>(std::min(budget, widest) * 8);
  const auto fits = [&](Index tokens) {
    return numbers_kept(schedule, tokens) * static_cast<Wide>(use.bits) * static_cast<Wide>(use.batch) <= bits;
  };
  Index most = 0, fails = longest_cached + 1;
  while (fails - most > 1) {
    const Index middle = most + (fails - most) / 2;
    (fits(middle) ? most : fails) = middle;
  }
  return most;
}

std::vector<ParameterSpec> layer_cache_parameters() {
  return {type_parameter(),
          make_parameter("batch", "Memory", "Number of sequences.",
                         {.default_value = Index{1}, .minimum = 1, .maximum = 1048576, .logarithmic = true}),
          gibibytes("memory", "Memory of the device.", 80, 0.001, true),
          gibibytes("weights", "Part of the memory that weights and everything else take.", 0, 0, false),
          make_parameter("length_max", "View", "Longest sequence on the axis.",
                         {.default_value = Index{2097152},
                          .minimum = static_cast<double>(shortest_sequence),
                          .maximum = static_cast<double>(longest_cached),
                          .logarithmic = true,
                          .unit = "tokens"})};
}

Result<void> check_cache_memory(const ParameterValues& values) {
  if (values.real("weights") < values.real("memory")) return {};
  return invalid("weights is {} GiB but must be less than memory, {} GiB", plain_text(values.real("weights")),
                 plain_text(values.real("memory")));
}

CacheUse cache_use(const ParameterValues& values) {
  CacheUse use{.batch = values.integer("batch")};
  for (const CacheType& type : types)
    if (values.choice("dtype") == type.id) use.bits = type.bits;
  return use;
}

double free_memory(const ParameterValues& values) {
  return (values.real("memory") - values.real("weights")) * gibibyte;
}

CurveSet cache_axes(const ParameterValues& values, std::string formula) {
  CurveSet set{.x_name = "tokens",
               .x_title = "tokens T of a sequence",
               .y_title = "bytes of the KV cache",
               .formula = std::move(formula),
               .log_x = true,
               .log_y = true,
               .exact = false};
  const Index longest = values.integer("length_max");
  for (Index tokens = shortest_sequence; tokens < longest; tokens *= 2) set.x.push_back(static_cast<double>(tokens));
  set.x.push_back(static_cast<double>(longest));
  return set;
}

void add_cache_curve(CurveSet& set, std::string name, const LayerSchedule& schedule, const CacheUse& use) {
  Curve& curve = set.curves.emplace_back(Curve{std::move(name), {}});
  for (const double tokens : set.x) curve.y.push_back(cache_bytes(schedule, static_cast<Index>(tokens), use));
}

void add_cache_fit(CurveSet& set, const ParameterValues& values, Index most) {
  const double memory = values.real("memory") * gibibyte, free = free_memory(values);
  set.levels = {
      {free, free < memory ? fmt::format("{} free of {}", byte_count(free), byte_count(memory)) : byte_count(memory)}};
  if (most >= shortest_sequence && static_cast<double>(most) <= set.x.back())
    set.marks = {{static_cast<double>(most), fmt::format("{} tokens fit", grouped(most))}};
  set.facts.emplace_back("longest", most > 0 ? static_cast<double>(most) : no_value);
}

std::string cache_fit_text(const ParameterValues& values, const CacheFit& fit) {
  const std::string free = byte_count(free_memory(values));
  const std::string all =
      fmt::format("{} tokens need {}", grouped(values.integer("length_max")), byte_count(fit.at_longest));
  if (fit.most == 0) return fmt::format("{}; no token fits into {}", all, free);
  if (fit.most >= longest_cached) return fmt::format("{}; {} hold more than {} tokens", all, free, grouped(fit.most));
  return fmt::format("{}; {} hold {} tokens", all, free, grouped(fit.most));
}

}  // namespace vqscope
