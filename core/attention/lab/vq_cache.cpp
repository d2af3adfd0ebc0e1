// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/lab/vq_cache.h"

#include "core/attention/cache.h"
#include "core/attention/lab/once.h"
#include "core/attention/lab/vq_experiment.h"
#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Of every block and code.
struct Filled {
  std::vector<double> counts;
  std::vector<double> lengths;  ///< of the means
};

Index blocks_of(const VqSetting& setting) { return (setting.q_length + setting.block_len - 1) / setting.block_len; }

Filled fill_cache(const VqSetting& setting) {
  const auto experiment = run_vq(setting);
  assert(experiment);
  CacheStates cache(2, setting.n_code, setting.d_v);  // in turns
  Index state = 0;
  Filled filled;
  for (Index begin = 0; begin < setting.q_length; begin += setting.block_len) {
    add_keys({.codes = experiment->quantised.codes.data() + begin,
              .values = experiment->data.values.data() + begin * setting.d_v,
              .count = std::min(setting.block_len, setting.q_length - begin)},
             cache, state, 1 - state);
    state = 1 - state;
    filled.counts.insert(filled.counts.end(), cache.counts_of(state), cache.counts_of(state) + setting.n_code);
    for (Index s = 0; s < setting.n_code; ++s) {
      double squares = 0;
      for (Index c = 0; c < setting.d_v; ++c)
        squares += std::pow(static_cast<double>(cache.means_of(state)[s * setting.d_v + c]), 2);
      filled.lengths.push_back(std::sqrt(squares));
    }
  }
  return filled;
}

class VqCacheField : public Field {
 public:
  VqCacheField(const VqSetting& setting, CacheQuantity quantity)
      : m_setting(setting), m_quantity(quantity), m_filled([setting] { return fill_cache(setting); }) {}

  Extent extent() const override { return {blocks_of(m_setting), m_setting.n_code}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override;
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;

 private:
  std::size_t place(Index row, Index col) const { return static_cast<std::size_t>(row * m_setting.n_code + col); }
  double count(Index row, Index col) const { return m_filled.get().counts[place(row, col)]; }

  VqSetting m_setting;
  CacheQuantity m_quantity;
  Once<Filled> m_filled;
};

double VqCacheField::at(Index row, Index col) const {
  const double n = count(row, col);
  if (m_quantity == CacheQuantity::count) return n;
  if (n == 0) return none;
  return m_quantity == CacheQuantity::bias ? std::log(n) : m_filled.get().lengths[place(row, col)];
}

/// Codes seldom have more than four times their even share of the keys.
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
  const double n = count(row, col);
  const Index tokens = std::min((row + 1) * m_setting.block_len, m_setting.q_length);
  CellReport report;
  report.facts = {{"block", to_text(row)},
                  {"code", to_text(col)},
                  {"n_s", plain_text(n)},
                  {"ln n_s", n > 0 ? to_text(std::log(n), 5) : "−∞"},
                  {"|μ_s|", n > 0 ? to_text(m_filled.get().lengths[place(row, col)], 5) : "none"}};
  report.why =
      plain_text(n) + " of the " + grouped(tokens) + " keys up to block " + to_text(row) + " have code " +
      to_text(col) +
      (n > 0 ? ": later queries see them as one key that scores q·c + ln " + plain_text(n) + ", with their mean value"
             : ": no query sees it");
  return report;
}

CacheQuantity quantity_of(const std::string& id) {
  if (id == "count") return CacheQuantity::count;
  return id == "bias" ? CacheQuantity::bias : CacheQuantity::mean_value;
}

std::vector<ParameterSpec> parameters() {
  auto specs = vq_parameters();
  for (const char* name : {"n_code", "block_len"}) spec_of(specs, name).role = ParameterRole::shape;
  specs.push_back({.name = "cached",
                   .group = "VQ attention",
                   .help = "What is shown of each code in the cache.",
                   .kind = ParameterKind::choice,
                   .fallback = std::string("count"),
                   .choices = {{"count", "n_s: how many keys so far had it"},
                               {"bias", "ln n_s, which is added to its score; none for an empty code"},
                               {"mean_value", "|μ_s|: length of the mean of their values"}}});
  return specs;
}

/// At most 2^16 blocks of 2^12 codes: 2^32 bytes for both numbers.
Result<void> check(const ParameterValues& values) {
  if (auto checked = check_vq(values); !checked) return checked;
  const VqSetting setting = vq_setting(values);
  const double bytes = 16 * static_cast<double>(blocks_of(setting) * setting.n_code);
  if (bytes <= most_vq_bytes) return {};
  return invalid(to_text(blocks_of(setting)) + " blocks of block_len " + to_text(setting.block_len) + " and n_code " +
                 to_text(setting.n_code) + " need " + byte_count(bytes) + " for the caches, must be at most " +
                 byte_count(most_vq_bytes));
}

}  // namespace

std::shared_ptr<const Field> make_vq_cache(const VqSetting& setting, CacheQuantity quantity) {
  return std::make_shared<VqCacheField>(setting, quantity);
}

Method vq_cache_method() {
  return {.id = "vq_cache",
          .title = "VQ cache by block",
          .category = "vq",
          .help = "How many keys, and what mean of their values, the cache holds for each code after each block.",
          .citation = vq_citation("remark 3.9"),
          .parameters = parameters(),
          .check = check,
          .recipe = FieldRecipe{.row_title = "last block in the cache",
                                .col_title = "code s",
                                .value_title = "cached",
                                .scale = ValueScale::sequential,
                                .col_name = [](const ParameterValues&) { return std::string("code"); },
                                .companions = {"vq_occupancy"},
                                .make = [](const ParameterValues& values) -> Result<std::shared_ptr<const Field>> {
                                  return make_vq_cache(vq_setting(values), quantity_of(values.choice("cached")));
                                }}};
}

}  // namespace vqscope
