// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/report/optimiser_json.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

struct Number {
  std::string name;
  double* real = nullptr;
  Index* whole = nullptr;
  double least = 0;
  double most = 1;
};

std::vector<Number> numbers_of(OptimiserOptions& options) {
  auto& [adamw, rate] = options;
  return {{.name = "lr_max", .real = &rate.lr_max, .most = 1e6},
          {.name = "lr_min_ratio", .real = &rate.lr_min_ratio},
          {.name = "warmup_steps", .whole = &rate.warmup_steps, .most = 1e9},
          {.name = "total_steps", .whole = &rate.total_steps, .most = 1e9},
          {.name = "beta1", .real = &adamw.beta1, .most = 0.999999999},
          {.name = "beta2", .real = &adamw.beta2, .most = 0.999999999},
          {.name = "eps", .real = &adamw.eps},
          {.name = "weight_decay", .real = &adamw.weight_decay, .most = 1e6},
          {.name = "clip", .real = &adamw.clip, .most = 1e300}};
}

Result<void> read_number(const ConfigValue& value, const Number& number) {
  const auto given = value.number();
  const bool fits = given && *given >= number.least && *given <= number.most;
  if (!fits || (number.whole && !value.integer()))
    return invalid("config key optimizer.{} is {}, must be a {} from {} to {}", value.key, value.shown(),
                   number.whole ? "whole number" : "number", plain_text(number.least), plain_text(number.most));
  if (number.whole)
    *number.whole = static_cast<Index>(*given);
  else
    *number.real = *given;
  return {};
}

}  // namespace

Result<OptimiserOptions> read_optimiser(const ConfigValue& json) {
  OptimiserOptions options;
  if (!json.object()) return invalid("config key optimizer is {}, must be an object", json.shown());
  const auto numbers = numbers_of(options);
  std::vector<std::string> names;
  for (const Number& number : numbers) names.push_back(number.name);
  for (const ConfigValue& member : json.object()->members) {
    if (member.key == "decay_rule") continue;
    const auto known = std::ranges::find(numbers, member.key, &Number::name);
    if (known == numbers.end())
      return invalid("unknown config key optimizer.{}{}", shortened(member.key), did_you_mean(member.key, names));
    if (auto read = read_number(member, *known); !read) return read.error();
  }
  return options;
}

}  // namespace vqscope
