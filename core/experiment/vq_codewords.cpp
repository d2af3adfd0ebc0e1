// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/attention/rows.h"
#include "core/base/sentence.h"
#include "core/experiment/setting/vq_answer.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/field/field.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

class VqCodewordField : public Field {
 public:
  VqCodewordField(const VqSetting& setting, std::shared_ptr<const VqExperiment> experiment)
      : m_setting(setting), m_experiment(std::move(experiment)) {}

  Extent extent() const override { return {m_setting.n_code, m_setting.d_k}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return static_cast<double>(numbers()[row * m_setting.d_k + col]); }
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;

 private:
  const float* numbers() const { return m_experiment->codewords.data(); }

  VqSetting m_setting;
  std::shared_ptr<const VqExperiment> m_experiment;
};

std::pair<double, double> VqCodewordField::value_range() const {
  double largest = 0;
  for (const float number : m_experiment->codewords) largest = std::max(largest, std::abs(static_cast<double>(number)));
  return {-largest, largest};
}

CellReport VqCodewordField::report(Index row, Index col) const {
  CellReport report;
  const Index d_k = m_setting.d_k;
  const float* own = numbers() + row * d_k;
  Index nearest = row;
  double apart = std::numeric_limits<double>::infinity();
  for (Index s = 0; s < m_setting.n_code; ++s) {
    const double distance = squared_distance(own, numbers() + s * d_k, d_k);
    if (s == row || distance >= apart) continue;
    apart = distance;
    nearest = s;
  }
  const Index keys = code_counts(m_experiment->quantised.codes, m_setting.n_code)[static_cast<std::size_t>(row)];
  report.facts = {{"codeword", to_text(row)}, {"dimension", to_text(col)}, {"value", to_text(at(row, col), 7)}};
  report.why = fmt::format("{} of {} keys have this codeword", grouped(keys), grouped(m_setting.q_length));
  if (nearest != row)
    report.why +=
        fmt::format("; the nearest other codeword is {}, at distance {}", nearest, to_text(std::sqrt(apart), 5));
  return report;
}

Result<std::shared_ptr<const Field>> make_codewords(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  // The colour scale depends on the codewords, so they are learnt before the field is created.
  auto experiment = shared_experiment(values, *setting)(work);
  if (!experiment) return experiment.error();
  return std::shared_ptr<const Field>(std::make_shared<VqCodewordField>(*setting, std::move(*experiment)));
}

}  // namespace

Method vq_codewords_method() {
  auto specs = vq_parameters({"block_len", "d_v", "q_tensor", "v_tensor"});
  for (const char* name : {"n_code", "d_k"}) spec_of(specs, name).role = ParameterRole::shape;
  return {.id = "vq_codewords",
          .title = "Codebook",
          .category = "vq",
          .help = "The codewords that replace keys: learned, supplied, or those of a trained model.",
          .citation = vq_citation("section 3.4"),
          .parameters = std::move(specs),
          .check = check_vq,
          .remark = vq_remark,
          .recipe = FieldRecipe{.row_title = "code s",
                                .col_title = "dimension",
                                .value_title = "codeword",
                                .scale = ValueScale::diverging,
                                .row_name = "code",
                                .col_name = [](const ParameterValues&) { return std::string("dimension"); },
                                .related = {"vq_occupancy"},
                                .make = make_codewords}};
}

}  // namespace vqscope
