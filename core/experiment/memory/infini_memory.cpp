// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/base/shared_computation.h"
#include "core/experiment/memory/memory_setting.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/field/field.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

/// Quantity of the memory to show.
enum class MemoryQuantity { matrix, normalised, change };

/// The memory after every segment.
struct MemoryStates {
  Index d_k = 0, d_v = 0;
  std::vector<float> matrices;      ///< [segments, d_k, d_v]
  std::vector<float> normalisers;   ///< [segments, d_k]
  std::array<double, 3> largest{};  ///< largest |cell| of all segments, by MemoryQuantity, for a fixed colour scale

  double cell(Index segment, Index row, Index col) const {
    if (segment < 0) return 0;
    return static_cast<double>(matrices[static_cast<std::size_t>((segment * d_k + row) * d_v + col)]);
  }
  double normaliser(Index segment, Index row) const {
    return static_cast<double>(normalisers[static_cast<std::size_t>(segment * d_k + row)]);
  }
  double shown(MemoryQuantity quantity, Index segment, Index row, Index col) const {
    const double now = cell(segment, row, col);
    if (quantity == MemoryQuantity::matrix) return now;
    return quantity == MemoryQuantity::change ? now - cell(segment - 1, row, col) : now / normaliser(segment, row);
  }
};

void look_at_largest(Index segment, MemoryStates& states) {
  for (const auto quantity : {MemoryQuantity::matrix, MemoryQuantity::normalised, MemoryQuantity::change}) {
    double& largest = states.largest[static_cast<std::size_t>(quantity)];
    for (Index row = 0; row < states.d_k; ++row)
      for (Index col = 0; col < states.d_v; ++col)
        largest = std::max(largest, std::abs(states.shown(quantity, segment, row, col)));
  }
}

/// Stores all segments. The only error is cancellation.
Result<MemoryStates> fill_memory(const MemorySetting& setting, InfiniRule rule, const Work& work) {
  const MemoryTokens tokens = memory_tokens(setting, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  InfiniMemory memory(tokens.d_k, tokens.d_v);
  MemoryStates states{.d_k = tokens.d_k, .d_v = tokens.d_v};
  const Index segments = segments_of(setting);
  for (Index segment = 0; segment < segments; ++segment) {
    store_segment(setting, tokens, segment, rule, work.stop, memory);
    if (work.stop.stop_requested()) return cancelled();
    for (const double number : memory.matrix()) states.matrices.push_back(static_cast<float>(number));
    for (const double number : memory.normaliser()) states.normalisers.push_back(static_cast<float>(number));
    look_at_largest(segment, states);
    work.report(static_cast<double>(segment + 1) / static_cast<double>(segments));
  }
  return states;
}

MemoryQuantity memory_quantity(const std::string& id) {
  if (id == "matrix") return MemoryQuantity::matrix;
  return id == "change" ? MemoryQuantity::change : MemoryQuantity::normalised;
}

class InfiniMemoryField : public Field {
 public:
  InfiniMemoryField(const MemorySetting& setting, std::shared_ptr<const MemoryStates> states, MemoryQuantity quantity,
                    Index segments)
      : m_setting(setting), m_states(std::move(states)), m_quantity(quantity), m_last(segments - 1) {}

  Extent extent() const override { return {m_states->d_k, m_states->d_v}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return m_states->shown(m_quantity, m_last, row, col); }
  std::pair<double, double> value_range() const override {
    const double largest = m_states->largest[static_cast<std::size_t>(m_quantity)];
    return {-largest, largest};
  }
  CellReport report(Index row, Index col) const override;

 private:
  MemorySetting m_setting;
  std::shared_ptr<const MemoryStates> m_states;
  MemoryQuantity m_quantity;
  Index m_last;  ///< segment in the memory
};

CellReport InfiniMemoryField::report(Index row, Index col) const {
  const double now = m_states->cell(m_last, row, col);
  const double sum = m_states->normaliser(m_last, row);
  const Index pairs = segment_at(m_setting, m_last).end;
  CellReport report;
  report.facts = {{"key dimension", to_text(row)},
                  {"value dimension", to_text(col)},
                  {"M", to_text(now, 6)},
                  {"z", to_text(sum, 6)},
                  {"M / z", to_text(now / sum, 6)},
                  {"change by the last segment", to_text(now - m_states->cell(m_last - 1, row, col), 6)}};
  report.why = fmt::format(
      "{} pairs of {} segments are in the memory: a query whose only feature is {} reads M / z = {} in dimension {}",
      grouped(pairs), grouped(m_last + 1), row, to_text(now / sum, 4), col);
  return report;
}

/// 1 to the number of segments. `values` may be invalid: they are checked later.
std::vector<ParameterSpec> segments_parameter(const ParameterValues& values) {
  const auto at_least_one = [&](const char* name, Index default_value) {
    return values.find(name) ? std::max<Index>(values.integer(name), 1) : default_value;
  };
  const MemorySetting standard;
  const Index segments =
      (at_least_one("q_length", standard.q_length) - 1) / at_least_one("segment_len", standard.segment_len) + 1;
  return {make_parameter("segments", "Memory",
                         "Number of segments in the memory. Press ▶ to see it fill segment by segment.",
                         {.label = "Segments stored",
                          .default_value = segments,
                          .minimum = 1,
                          .maximum = static_cast<double>(segments),
                          .playable = true})};
}

using StatesKey = std::pair<ParameterValues, const VqTokens*>;

Result<std::shared_ptr<const Field>> make_infini_memory(const ParameterValues& values, const Work& work) {
  const auto setting = memory_setting(values);
  if (!setting) return setting.error();
  // All positions of the slider use the same states, which also determine the colour scale.
  static SharedComputation<StatesKey, MemoryStates> known(1);
  ParameterValues key;
  for (const auto& [name, value] : values.map())
    if (name != "segments" && name != "stored") key.set(name, value);
  const InfiniRule rule = infini_rule(values.choice("rule"));
  auto states = known.get({key, setting->tokens.get()}, work, [setting = *setting, rule](const Work& shared) {
    return fill_memory(setting, rule, shared);
  });
  if (!states) return states.error();
  return std::shared_ptr<const Field>(
      std::make_shared<InfiniMemoryField>(*setting, std::move(*states), memory_quantity(values.choice("stored")),
                                          std::min(values.integer("segments"), segments_of(*setting))));
}

Result<void> check_infini_memory(const ParameterValues& values) {
  if (auto checked = check_memory(values); !checked) return checked;
  const auto setting = memory_setting(values, false);
  if (!setting) return setting.error();
  const Index segments = segments_of(*setting);
  return check_memory_bytes(
      fmt::format("{} segments with d_k {} and d_v {}", segments, setting->d_k, setting->d_v),
      4 * static_cast<double>(segments) * static_cast<double>(setting->d_k) * static_cast<double>(setting->d_v + 1));
}

std::vector<ParameterSpec> infini_memory_parameters() {
  auto specs = infini_parameters();
  std::erase_if(specs,
                [](const ParameterSpec& spec) { return spec.name == "match_cosine" || spec.name == "q_tensor"; });
  specs.push_back(query_heads_parameter());
  for (const char* name : {"d_k", "d_v"}) spec_of(specs, name).role = ParameterRole::shape;
  spec_of(specs, "q_length").role = ParameterRole::tokens;
  // The parameter with ▶ comes before those of the data.
  std::vector<ParameterSpec> memory{infini_rule_parameter()};
  for (auto& spec : segments_parameter(default_values(specs))) memory.push_back(std::move(spec));
  add_parameter(memory, "stored", "Memory", "Quantity to show for each pair of dimensions.",
                {.label = "Shown",
                 .default_value = std::string("matrix"),
                 .choices = {{"matrix", "the memory matrix M"},
                             {"normalised", "M / z, row by row: the mean of the stored values, weighted by σ(k)"},
                             {"change", "change by the last segment"}}});
  specs.insert(std::ranges::find(specs, "data", &ParameterSpec::name), memory.begin(), memory.end());
  return specs;
}

}  // namespace

Method infini_memory_method() {
  return {.id = "infini_memory",
          .title = "Infini-attention: memory matrix",
          .category = "memory",
          .help = "The compressive memory of one head, d_k by d_v, after each segment.",
          .citation = infini_citation(),
          .parameters = infini_memory_parameters(),
          .free_parameters = segments_parameter,
          .check = check_infini_memory,
          .recipe = FieldRecipe{.row_title = "key dimension",
                                .col_title = "value dimension",
                                .value_title = "memory",
                                .scale = ValueScale::diverging,
                                .row_name = "key_dimension",
                                .col_name = [](const ParameterValues&) { return std::string("value_dimension"); },
                                .related = {"infini_readout"},
                                .make = make_infini_memory}};
}

}  // namespace vqscope
