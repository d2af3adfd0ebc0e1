// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/recognised_text.h"

#include "core/base/sentence.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"

namespace vqscope {

std::string mask_text_of(const Recognition& found) {
  assert(found.fits);
  constexpr std::string_view keyword = "return ";
  return found.inverted ? fmt::format("return ~({})\n", found.text.substr(keyword.size())) : found.text + "\n";
}

ParameterValues recognised_as_text(const ParameterValues& values, const Recognition& found) {
  ParameterValues all = with_sequence(values, found.shape.extent, found.shape.past_len);
  all.set("mask", std::string(text_mask_id));
  all.set("mask_text", mask_text_of(found));
  for (const auto& array : found.arrays) all.set(free_name_key(array.name), array.values);
  return all;
}

}  // namespace vqscope
