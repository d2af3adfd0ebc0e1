// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/field/cell_summary.h"
#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/schedule/methods.h"
#include "core/schedule/reach/mask_reach.h"
#include "core/schedule/setting/schedule_parameters.h"
#include "core/schedule/text/layer_texts.h"

#include <utility>

namespace vqscope {
namespace {

/// How a token reaches the query. `later`: it stands after the query, in the same document.
enum class MaskReachKind { none, indirect, direct, crossing, later };
constexpr std::size_t mask_reach_kinds = 5;

/// The layers, which of them have the mask, and where it is applied.
struct MaskStack {
  LayerSight sight;
  std::vector<bool> own;
  SequenceLayout layout;
  Index query;  ///< as a token
};

Result<Index> query_of_stack(const ParameterValues& values, const SequenceLayout& layout) {
  const Index query = values.integer("query");
  if (query >= layout.q_length()) return invalid("query is {} but must be -1 to {}", query, layout.q_length() - 1);
  return layout.past_len() + (query < 0 ? layout.q_length() - 1 : query);
}

Result<MaskStack> stack_of(const ParameterValues& values) {
  const SequenceInput input = preset_sequence(values);
  if (input.query_source == QuerySource::own)
    return invalid("mask is {}, whose queries are another sequence than its keys; only self-attention has a depth",
                   values.choice("mask"));
  auto layout = SequenceLayout::make(input);
  if (!layout) return layout.error();
  auto schedule = parse_layers(values.text("layers"), 0);
  if (!schedule) return schedule.error();
  std::vector<bool> own;
  for (ModelLayer& layer : schedule->layers) own.push_back(std::exchange(layer.own_mask, false));
  const auto query = query_of_stack(values, *layout);
  if (!query) return query.error();
  auto sight = LayerSight::make(std::move(*schedule), tokens_of(*layout));
  if (!sight) return sight.error();
  return MaskStack{std::move(*sight), std::move(own), std::move(*layout), *query};
}

class MaskReachField : public Field {
 public:
  MaskReachField(SequenceLayout layout, MaskReach reach) : m_layout(std::move(layout)), m_reach(std::move(reach)) {}

  Extent extent() const override { return {m_reach.layers(), m_reach.tokens()}; }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override { return static_cast<double>(kind(row, col)); }
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override {
    return summarize_cells(*this, MeanKind::arithmetic, grid, options, out);
  }
  std::pair<double, double> value_range() const override { return {0, mask_reach_kinds - 1}; }

  CellReport report(Index row, Index col) const override {
    static constexpr const char* words[]{"does not reach", "through layers below", "direct", "out of another document",
                                         "after the query"};
    const auto first = m_reach.first_layer(col);
    std::string why =
        fmt::format("token {} does not reach query {} through {} layers", col, m_reach.query(), m_reach.layers());
    if (first)
      why = fmt::format("token {} reaches query {} from layer {} on{}", col, m_reach.query(), *first,
                        *first > row ? ", not yet here" : "");
    if (col == m_reach.query()) why = "the token itself";
    return {
        {{"layer", to_text(row)}, {"token", to_text(col)}, {"reach", words[static_cast<std::size_t>(kind(row, col))]}},
        std::move(why)};
  }

  std::vector<std::pair<std::string, double>> facts(const std::stop_token&) const override {
    Index reached = 0;
    for (Index token = 0; token < m_reach.tokens(); ++token) reached += m_reach.first_layer(token) ? 1 : 0;
    return {{"query", static_cast<double>(m_reach.query())},
            {"tokens", static_cast<double>(reached)},
            {"later_tokens", static_cast<double>(m_reach.later_tokens())}};
  }

 private:
  MaskReachKind kind(Index layer, Index token) const {
    if (!m_reach.reaches(layer, token)) return MaskReachKind::none;
    if (m_layout.kv_document(token) != m_layout.kv_document(m_reach.query())) return MaskReachKind::crossing;
    if (token > m_reach.query()) return MaskReachKind::later;
    return m_reach.sees(layer, token) ? MaskReachKind::direct : MaskReachKind::indirect;
  }

  SequenceLayout m_layout;
  MaskReach m_reach;
};

Result<MaskReach> reach_of(const ParameterValues& values, const MaskStack& stack, const Work& work) {
  const auto mask = make_preset_mask(values, work.stop);
  if (!mask) return mask.error();
  return MaskReach::make(**mask, stack.sight, stack.own, stack.layout.past_len(), stack.query, work.stop);
}

Result<std::shared_ptr<const Field>> make_mask_reach(const ParameterValues& values, const Work& work) {
  auto stack = stack_of(values);
  if (!stack) return stack.error();
  auto reach = reach_of(values, *stack, work);
  if (!reach) return reach.error();
  return std::shared_ptr<const Field>(std::make_shared<MaskReachField>(std::move(stack->layout), std::move(*reach)));
}

std::string mask_reach_remark(const ParameterValues& values, const Work& work) {
  const auto stack = stack_of(values);
  const auto reach = stack ? reach_of(values, *stack, work) : Result<MaskReach>(stack.error());
  if (!reach) return {};
  const Index later = reach->later_tokens();
  if (later == 0)
    return fmt::format("The state of token {} depends on no token after it through {} layers", reach->query(),
                       reach->layers());
  return fmt::format(
      "The state of token {} depends on {} tokens after it through {} layers: in a causal model this is "
      "a leak",
      reach->query(), later, reach->layers());
}

Result<void> check_mask_reach(const ParameterValues& values) {
  static const Method visibility = visibility_method();
  if (auto checked = visibility.check(values); !checked) return checked;
  const auto stack = stack_of(values);
  return stack ? Result<void>() : stack.error();
}

Categories mask_reach_categories(const ParameterValues&) {
  return {.count = mask_reach_kinds,
          .second = mask_reach_kinds,
          .groups = {{0, "not reached"},
                     {1, "through layers below"},
                     {2, "direct"},
                     {3, "another document"},
                     {4, "after the query"}}};
}

std::vector<ParameterSpec> mask_reach_parameters() {
  auto specs = visibility_method().parameters;
  specs.push_back(make_parameter("layers", "Layers",
                                 "Layers from the first to the last, as 2*mask,full: mask is the mask of this page; "
                                 "others are written as on the page Model, as sliding:1024, and keep to documents.",
                                 {.kind = ParameterKind::text, .default_value = std::string("4*mask")}));
  specs.push_back(make_parameter("query", "Layers",
                                 "Query whose reach is shown, counted from the first token after the cache.",
                                 {.role = ParameterRole::tokens,
                                  .default_value = Index{-1},
                                  .minimum = -1,
                                  .maximum = 2147483648.0,
                                  .automatic = "the last token"}));
  return specs;
}

}  // namespace

Method mask_reach_method() {
  return {.id = "mask_reach",
          .title = "Reach",
          .category = "masks",
          .help =
              "Which tokens can influence a query after each layer of a model whose layers have this mask: the "
              "induction over layers and cached states. Tokens of the cache depend on those up to themselves.",
          .citation = {"Dai et al. 2019, Transformer-XL, section 3.2; Beltagy et al. 2020, Longformer, section 3.1",
                       "PyTorch, torch.nn.attention.flex_attention"},
          .parameters = mask_reach_parameters(),
          .free_parameters = visibility_method().free_parameters,
          .check = check_mask_reach,
          .remark = mask_reach_remark,
          .recipe = FieldRecipe{.row_title = "layer l",
                                .col_title = "token k",
                                .value_title = "how the token reaches the query",
                                .scale = ValueScale::categorical,
                                .row_name = "layer",
                                .col_name = [](const ParameterValues&) { return std::string("token"); },
                                .categories = mask_reach_categories,
                                .make = make_mask_reach}};
}

}  // namespace vqscope
