// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shown_part.h"

#include "core/base/text.h"
#include "core/relative/past_part.h"

namespace vqscope {
namespace {

std::optional<Index> decoder_past(const Method& method, const ParameterValues& values) {
  const auto& past_of = method.field()->decoder_past;
  return past_of ? past_of(values) : std::nullopt;
}

ShownPart part_of(std::shared_ptr<const Field> field, std::optional<Index> past) {
  if (!past) return {std::move(field), std::nullopt};
  return {make_past_part(std::move(field), *past), past};
}

}  // namespace

ShownPart shown_part(const Method& method, const ParameterValues& values, std::shared_ptr<const Field> field) {
  return part_of(std::move(field), decoder_past(method, values));
}

ShownPart shown_part(const Method& method, const ParameterValues& a, const ParameterValues& b,
                     std::shared_ptr<const Field> difference) {
  const auto past = decoder_past(method, a);
  return part_of(std::move(difference), past == decoder_past(method, b) ? past : std::nullopt);
}

std::string untrained_values(Index seed) { return "random, untrained (seed " + to_text(seed) + ")"; }

std::string untrained_text(const Method& method, const ParameterValues& values) {
  if (const FieldRecipe* recipe = method.field()) return recipe->untrained ? recipe->untrained(values) : std::string();
  const CurveRecipe* recipe = method.curves();
  return recipe && recipe->untrained ? recipe->untrained(values) : std::string();
}

}  // namespace vqscope
