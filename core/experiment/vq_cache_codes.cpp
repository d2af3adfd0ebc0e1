// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/experiment/setting/cache_fill.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

Result<CurveSet> make_vq_cache_codes(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  const auto shared = shared_cache_fill(values, *setting, work);
  if (!shared) return shared.error();
  const CacheFill& fill = **shared;
  const Index filled = std::min(values.integer("filled"), fill.blocks);
  CurveSet set{.x_name = "code",
               .x_title = "code s",
               .y_title = "keys that have the code",
               .formula = fmt::format("n_s: keys of the first {} of {} blocks whose nearest codeword is s; ln n_s is "
                                      "what the cache adds to q·c; a code without keys is not visible; {}",
                                      filled, fill.blocks, vq_measured),
               .steps = true,
               .curves = {{"n_s", {}}, {"ln_n_s", {}}}};
  double occupied = 0;
  for (Index code = 0; code < fill.n_code; ++code) {
    const double n = fill.counts[fill.place(filled - 1, code)];
    set.x.push_back(static_cast<double>(code));
    set.curves[0].y.push_back(n);
    set.curves[1].y.push_back(n > 0 ? std::log(n) : no_value);
    occupied += n > 0 ? 1 : 0;
  }
  const Index keys = std::min(filled * setting->block_len, setting->q_length);
  set.levels = {{static_cast<double>(keys) / static_cast<double>(fill.n_code), "all codes alike"}};
  set.facts = {{"blocks", static_cast<double>(filled)}, {"keys", static_cast<double>(keys)}, {"occupied", occupied}};
  return set;
}

}  // namespace

Method vq_cache_codes_method() {
  return {
      .id = "vq_cache_codes",
      .title = "Cache after some blocks",
      .help = "Number of keys the cache holds for each code, or the count bias, after the given number of blocks.",
      .citation = vq_citation("remark 3.9"),
      .parameters = cache_parameters(),
      .free_parameters = filled_parameter,
      .check = check_cache,
      .remark = vq_remark,
      .recipe = CurveRecipe{.make = make_vq_cache_codes, .origin = CurveOrigin::measured, .related = {"vq_occupancy"}}};
}

}  // namespace vqscope
