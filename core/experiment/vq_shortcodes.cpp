// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/vq_maps.h"

#include "core/attention/rows.h"
#include "core/base/sentence.h"
#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_answer.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/field/block_walk.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

class VqShortcodeField : public Field {
 public:
  VqShortcodeField(const VqSetting& setting, Deferred<VqExperiment>::Compute experiment, bool rank)
      : m_setting(setting), m_rank(rank), m_experiment(std::move(experiment)) {}

  Extent extent() const override { return {m_setting.q_length, m_setting.n_code}; }
  CellType cell_type() const override { return CellType::int32; }
  Result<void> prepare(const Work& work) const override {
    const auto experiment = m_experiment.get(work);
    return experiment ? Result<void>() : experiment.error();
  }
  double at(Index row, Index col) const override;
  /// A rank needs all distances of its row.
  double cell_cost() const override { return m_rank ? static_cast<double>(m_setting.n_code * m_setting.d_k) / 8 : 1; }
  void read(const Rect& block, CellSpan out) const override;
  std::pair<double, double> value_range() const override {
    return {0, m_rank ? static_cast<double>(std::max<Index>(m_setting.n_code - 1, 1)) : 1};
  }
  CellReport report(Index row, Index col) const override;

 private:
  Index code(Index row) const {
    const VqExperiment* experiment = m_experiment.find();
    return experiment != nullptr ? experiment->quantised.codes[static_cast<std::size_t>(row)] : 0;
  }
  std::vector<double> distances(Index row) const;
  std::vector<double> ranks(Index row) const;

  VqSetting m_setting;
  bool m_rank;
  Deferred<VqExperiment> m_experiment;
};

/// Squared distances to every codeword.
std::vector<double> VqShortcodeField::distances(Index row) const {
  const VqExperiment* experiment = m_experiment.find();
  if (experiment == nullptr) return std::vector<double>(static_cast<std::size_t>(m_setting.n_code));
  const Index d_k = m_setting.d_k;
  std::vector<double> all;
  for (Index s = 0; s < m_setting.n_code; ++s)
    all.push_back(
        squared_distance(experiment->data.keys.data() + row * d_k, experiment->codewords.data() + s * d_k, d_k));
  return all;
}

std::vector<double> VqShortcodeField::ranks(Index row) const {
  const auto all = distances(row);
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t s) { return all[s]; });
  std::vector<double> ranks(all.size());
  for (std::size_t place = 0; place < order.size(); ++place) ranks[order[place]] = static_cast<double>(place);
  return ranks;
}

double VqShortcodeField::at(Index row, Index col) const {
  if (!m_rank) return code(row) == col ? 1 : 0;
  const auto all = distances(row);
  double nearer = 0;
  for (Index s = 0; s < m_setting.n_code; ++s) {
    const double apart = all[static_cast<std::size_t>(s)] - all[static_cast<std::size_t>(col)];
    if (apart < 0 || (apart == 0 && s < col)) ++nearer;
  }
  return nearer;
}

void VqShortcodeField::read(const Rect& block, CellSpan out) const {
  read_rows(block, out, [&](Index row) {
    return [this, row, of_row = m_rank ? ranks(row) : std::vector<double>()](Index col) {
      return m_rank ? of_row[static_cast<std::size_t>(col)] : code(row) == col ? 1.0 : 0.0;
    };
  });
}

CellReport VqShortcodeField::report(Index row, Index col) const {
  const auto all = distances(row);
  const auto text = [&](Index s) { return to_text(std::sqrt(all[static_cast<std::size_t>(s)]), 5); };
  CellReport report;
  report.facts = {{"k", to_text(row)},
                  {"codeword", to_text(col)},
                  {"distance", text(col)},
                  {"code", to_text(code(row))},
                  {"distance of the code", text(code(row))}};
  report.why =
      code(row) == col
          ? fmt::format("this is the codeword nearest to key {}; attention replaces the key by it", grouped(row))
          : fmt::format("key {} is replaced by codeword {}, which is nearer: |k − c| is {}, not {}", grouped(row),
                        code(row), text(code(row)), text(col));
  return report;
}

Result<std::shared_ptr<const Field>> make_shortcodes(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  return std::shared_ptr<const Field>(std::make_shared<VqShortcodeField>(*setting, shared_experiment(values, *setting),
                                                                         values.choice("shown") == "rank"));
}

}  // namespace

std::shared_ptr<const Field> make_vq_shortcodes(const VqSetting& setting, bool rank) {
  const auto experiment = [setting](const Work& work) -> Result<std::shared_ptr<const VqExperiment>> {
    auto run = run_vq(setting, work);
    if (!run) return run.error();
    return std::make_shared<const VqExperiment>(std::move(*run));
  };
  return std::make_shared<VqShortcodeField>(setting, experiment, rank);
}

Method vq_shortcodes_method() {
  auto specs = vq_parameters({"block_len", "d_v", "q_tensor", "v_tensor"});
  spec_of(specs, "n_code").role = ParameterRole::shape;
  add_parameter(specs, "shown", "VQ attention", "Quantity to show for each key and codeword.",
                {.default_value = std::string("code"),
                 .choices = {{"code", "1 if the codeword is nearest to the key, else 0"},
                             {"rank", "rank of the codeword by distance from the key, 0 for the nearest"}}});
  return {.id = "vq_shortcodes",
          .title = "Shortcodes over time",
          .category = "vq",
          .help = "The codeword that replaces each key.",
          .citation = vq_citation("definition 2.1"),
          .parameters = std::move(specs),
          .check = check_vq,
          .remark = vq_remark,
          .recipe = FieldRecipe{.row_title = "key position k",
                                .col_title = "code s",
                                .value_title = "code",
                                .col_name = [](const ParameterValues&) { return std::string("code"); },
                                .related = {"vq_occupancy"},
                                .make = make_shortcodes}};
}

}  // namespace vqscope
