// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/vq_maps.h"

#include "core/base/deferred.h"
#include "core/base/sentence.h"
#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_answer.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

class VqCacheField : public Field {
 public:
  VqCacheField(const VqSetting& setting, CacheQuantity quantity, Index filled, Deferred<CacheFill>::Compute fill)
      : m_setting(setting), m_quantity(quantity), m_filled(filled), m_fill(std::move(fill)) {}

  Extent extent() const override { return {cache_blocks(m_setting), m_setting.n_code}; }
  CellType cell_type() const override { return CellType::float32; }
  Result<void> prepare(const Work& work) const override {
    const auto fill = m_fill.get(work);
    return fill ? Result<void>() : fill.error();
  }
  double at(Index row, Index col) const override;
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;

 private:
  double count(Index row, Index col) const { return of(row, col, &CacheFill::counts); }
  double length(Index row, Index col) const { return of(row, col, &CacheFill::lengths); }
  double of(Index row, Index col, std::vector<double> CacheFill::*numbers) const {
    const CacheFill* fill = m_fill.find();
    return fill != nullptr ? (fill->*numbers)[fill->place(row, col)] : no_value;
  }

  VqSetting m_setting;
  CacheQuantity m_quantity;
  Index m_filled;  ///< blocks
  Deferred<CacheFill> m_fill;
};

double VqCacheField::at(Index row, Index col) const {
  if (row >= m_filled) return m_quantity == CacheQuantity::count ? 0 : no_value;
  const double n = count(row, col);
  if (m_quantity == CacheQuantity::count) return n;
  if (n == 0) return no_value;
  return m_quantity == CacheQuantity::bias ? std::log(n) : length(row, col);
}

/// Codes rarely have more than four times the average number of keys.
std::pair<double, double> VqCacheField::value_range() const {
  const auto length = static_cast<double>(m_setting.q_length);
  const double most = std::clamp(4 * length / static_cast<double>(m_setting.n_code), 2.0, std::max(length, 2.0));
  switch (m_quantity) {
    case CacheQuantity::count: return {0, most};
    case CacheQuantity::bias: return {0, std::log(most)};
    case CacheQuantity::mean_value: break;
  }
  return {0, std::sqrt(static_cast<double>(m_setting.d_v)) * 1.25};
}

CellReport VqCacheField::report(Index row, Index col) const {
  if (row >= m_filled)
    return {{{"block", to_text(row)}, {"code", to_text(col)}},
            fmt::format("block {} is not in the cache yet, which holds {} blocks", row, m_filled)};
  const double n = count(row, col);
  const Index tokens = std::min((row + 1) * m_setting.block_len, m_setting.q_length);
  CellReport report;
  report.facts = {{"block", to_text(row)},
                  {"code", to_text(col)},
                  {"n_s", plain_text(n)},
                  {"ln n_s", n > 0 ? to_text(std::log(n), 5) : "−∞"},
                  {"|μ_s|", n > 0 ? to_text(length(row, col), 5) : "none"}};
  report.why = fmt::format(
      "{} of the {} keys up to block {} have code {}{}", plain_text(n), grouped(tokens), row, col,
      n > 0 ? fmt::format(": later queries see them as one key that scores q·c + ln {}, with their mean value",
                          plain_text(n))
            : ": no query sees it");
  return report;
}

CacheQuantity quantity_of(const std::string& id) {
  if (id == "count") return CacheQuantity::count;
  return id == "bias" ? CacheQuantity::bias : CacheQuantity::mean_value;
}

std::vector<ParameterSpec> vq_cache_parameters() {
  auto specs = cache_parameters();
  add_parameter(specs, "cached", "VQ attention", "Quantity to show for each code in the cache.",
                {.default_value = std::string("count"),
                 .choices = {{"count", "n_s: number of keys with this code so far"},
                             {"bias", "ln n_s, which is added to the score; no value for an empty code"},
                             {"mean_value", "|μ_s|: norm of the mean value"}}});
  return specs;
}

Result<std::shared_ptr<const Field>> make_vq_cache_field(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  const auto fill = [values, setting = *setting](const Work& fill_work) {
    return shared_cache_fill(values, setting, fill_work);
  };
  return std::shared_ptr<const Field>(
      std::make_shared<VqCacheField>(*setting, quantity_of(values.choice("cached")),
                                     std::min(values.integer("filled"), cache_blocks(*setting)), fill));
}

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

std::shared_ptr<const Field> make_vq_cache(const VqSetting& setting, CacheQuantity quantity) {
  const auto fill = [setting](const Work& work) -> Result<std::shared_ptr<const CacheFill>> {
    auto filled = fill_cache(setting, work);
    if (!filled) return filled.error();
    return std::make_shared<const CacheFill>(std::move(*filled));
  };
  return std::make_shared<VqCacheField>(setting, quantity, cache_blocks(setting), fill);
}

Method vq_cache_method() {
  return {.id = "vq_cache",
          .title = "VQ cache by block",
          .category = "vq",
          .help = "Key count, or mean value, that the cache holds for each code after each block.",
          .citation = vq_citation("remark 3.9"),
          .parameters = vq_cache_parameters(),
          .free_parameters = filled_parameter,
          .check = check_cache,
          .remark = vq_remark,
          .recipe = FieldRecipe{.row_title = "last block in the cache",
                                .col_title = "code s",
                                .value_title = "cached",
                                .col_name = [](const ParameterValues&) { return std::string("code"); },
                                .related = {"vq_cache_codes", "vq_occupancy"},
                                .make = make_vq_cache_field}};
}

Method vq_cache_codes_method() {
  return {
      .id = "vq_cache_codes",
      .title = "Cache after some blocks",
      .help = "Number of keys, or count bias, of each code in the cache after some blocks.",
      .citation = vq_citation("remark 3.9"),
      .parameters = cache_parameters(),
      .free_parameters = filled_parameter,
      .check = check_cache,
      .remark = vq_remark,
      .recipe = CurveRecipe{.make = make_vq_cache_codes, .origin = CurveOrigin::measured, .related = {"vq_occupancy"}}};
}

}  // namespace vqscope
