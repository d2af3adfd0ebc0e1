// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/survey/survey.h"

#include "core/catalogue/registry.h"
#include "core/catalogue/survey/survey_notes.h"
#include "core/encoding/rope/rope_scaling.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vqscope {
namespace {

constexpr std::string_view scaling_choice = "rope_type";
constexpr std::string_view rerope_choice = "rerope_type";

constexpr std::array<std::string_view, 5> groups{"Added to embeddings", "Rotary", "RoPE scalings", "Additive biases",
                                                 "Other scores"};

std::string_view group_of(const Method& method) {
  if (find_spec(method.parameters, "rope_theta")) return groups[1];
  if (method.category == "tables") return groups[0];
  return method.category == "biases" ? groups[3] : groups[4];
}

bool has_choice(const ParameterSpec& spec, std::string_view id) {
  return std::ranges::find(spec.choices, id, &Choice::id) != spec.choices.end();
}

/// Sets the parameter of `method` that can choose `id`, one choice before a set of them. False:
/// there is none.
bool choose(const Method& method, std::string_view id, ParameterValues& values) {
  for (const ParameterKind kind : {ParameterKind::choice, ParameterKind::choice_set})
    for (const ParameterSpec& spec : method.parameters) {
      if (spec.kind != kind || !has_choice(spec, id)) continue;
      if (kind == ParameterKind::choice)
        values.set(spec.name, std::string(id));
      else
        values.set(spec.name, std::vector<std::string>{std::string(id)});
      return true;
    }
  return false;
}

/// Beside the curve of a scaling stands that of RoPE as trained.
void compare_with_unscaled(const SurveyRow& row, SurveyView& view) {
  const ParameterSpec* compare = find_spec(view.method->parameters, "compare");
  if (row.values.find(scaling_choice) && compare && has_choice(*compare, "default"))
    view.values.set("compare", std::vector<std::string>{"default"});
}

/// The picture of `row` that a method gives, if it gives one: listed for it, or by a choice of a
/// parameter.
std::optional<SurveyView> view_of(const SurveyRow& row, const ViewTitle& titled) {
  SurveyView view{std::string(titled.title), find_method(titled.method), {}};
  assert(view.method);  // a test reads each
  if (!view.method) return std::nullopt;
  const bool is_listed = std::ranges::count(titled.of, row.id) > 0;
  const bool is_rope = find_spec(row.method->parameters, scaling_choice) && row.method->category == "rotary";
  std::string_view choice = row.id;
  if (is_rope && !row.values.find(scaling_choice)) choice = "default";
  bool is_chosen = choose(*view.method, choice, view.values);
  // A score map of the encoding, by whose id a curve knows it.
  for (const SurveyView& other : row.views)
    if (!is_chosen && other.method->field()) is_chosen = choose(*view.method, other.method->id, view.values);
  if (!is_listed && !is_chosen) return std::nullopt;
  compare_with_unscaled(row, view);
  return view;
}

std::string_view main_title(const Method& method) {
  if (method.category == "rotary") return "Phases";
  if (method.category == "tables") return "Table";
  return method.category == "biases" ? "Bias" : "Score map";
}

void add_views(SurveyRow& row) {
  row.views.push_back({std::string(main_title(*row.method)), row.method, row.values});
  for (const ViewTitle& titled : view_titles())
    if (auto view = view_of(row, titled)) row.views.push_back(std::move(*view));
  // Plain RoPE sets its type: otherwise a page would keep the scaling of the row before.
  if (row.method->category != "rotary" || row.values.find(scaling_choice)) return;
  for (SurveyView& view : row.views)
    if (find_spec(view.method->parameters, scaling_choice))
      view.values.set(std::string(scaling_choice), std::string("default"));
}

void add_row(std::vector<SurveyRow>& rows, SurveyRow row) {
  const SurveyNote& note = row.traits.note;
  row.positions = note.positions;
  row.trade_off = note.trade_off;
  row.published = published_result(note);
  row.published_source = published_source(note);
  add_views(row);
  rows.push_back(std::move(row));
}

/// "xPos" of "xPos score": the encoding, not its picture.
std::string encoding_title(const Method& method) {
  if (method.category == "rotary") return std::string(scaling_note("default").title);
  constexpr std::string_view picture = " score";
  std::string title = method.title;
  if (title.ends_with(picture)) title.resize(title.size() - picture.size());
  return title;
}

SurveyRow encoding_row(const Method& method) {
  return {.id = method.id,
          .title = encoding_title(method),
          .group = std::string(group_of(method)),
          .method = &method,
          .traits = *method.traits,
          .citation = method.citation};
}

/// ReRoPE and Leaky ReRoPE are one method. Each row sets its own choice, or a page would keep that
/// of the other.
void add_both_reropes(std::vector<SurveyRow>& rows, const Method& method) {
  SurveyRow rerope = encoding_row(method), leaky = encoding_row(method);
  rerope.values.set(std::string(rerope_choice), std::string("rerope"));
  leaky.id = "leaky";
  leaky.values.set(std::string(rerope_choice), leaky.id);
  const ScalingNote note = scaling_note(leaky.id);
  leaky.title = note.title;
  leaky.traits.extrapolation = note.extrapolation;
  leaky.traits.note = note.note;
  leaky.citation.paper = note.paper;
  add_row(rows, std::move(rerope));
  add_row(rows, std::move(leaky));
}

/// Those of the method that rotates, under another rope_type.
void add_scalings(std::vector<SurveyRow>& rows, const Method& rotary) {
  for (const RopeType& type : rope_types()) {
    if (type.id == "default") continue;
    const ScalingNote note = scaling_note(type.id);
    SurveyRow row{.id = type.id,
                  .title = std::string(note.title.empty() ? type.id : note.title),
                  .group = std::string(groups[2]),
                  .method = &rotary,
                  .traits = *rotary.traits,
                  .citation = {std::string(note.paper), rotary.citation.reference}};
    row.values.set(std::string(scaling_choice), type.id);
    row.traits.extrapolation = note.extrapolation;
    row.traits.note = note.note;
    add_row(rows, std::move(row));
  }
}

std::vector<SurveyRow> make_rows() {
  std::vector<SurveyRow> rows;
  for (const Method& method : methods()) {
    if (!method.traits || !method.field()) continue;
    if (find_spec(method.parameters, rerope_choice))
      add_both_reropes(rows, method);
    else
      add_row(rows, encoding_row(method));
    if (method.category == "rotary") add_scalings(rows, method);
  }
  std::ranges::stable_sort(rows, {}, [](const SurveyRow& row) { return std::ranges::find(groups, row.group); });
  return rows;
}

}  // namespace

std::span<const ViewTitle> view_titles() {
  static const std::vector<ViewTitle> all{
      {"t5_bucket", "Buckets", {"t5_bias"}},
      {"t5_bias_heads", "All heads", {"t5_bias"}},
      {"rope_cos", "cos"},
      {"rope_sin", "sin"},
      {"rope_2d_phase", "Phases", {"rope_2d_score"}},
      {"xpos_scale", "Scale", {"xpos_score"}},
      {"rope_score_field", "Score map"},
      {"rope_own_scores", "Scores of own q and k", {"rope_with_bias"}},
      {"bias_own_scores", "Content and position"},
      {"sinusoidal_similarity", "Similarity", {"sinusoidal"}},
      {"sinusoidal_shift", "Shift matrix", {"sinusoidal"}},
      {"rope_score", "Score by distance"},
      {"t5_staircase", "Bucket by distance", {"t5_bias"}},
      {"fire_by_distance", "Bias by distance", {"fire"}},
      {"randomized_position_curve", "Sampled positions", {"randomized_positions"}},
      {"rope_wavelength", "Wavelengths"},
      {"rope_inv_freq", "Frequencies"},
      {"rope_phase_seen", "Seen in training"},
      {"rope_new_angles", "New angles by position"},
      {"rope_phase_ood", "Share of new angles"},
      {"mrope_phase", "Three axes: phases", {"rope_phase"}},
      {"mrope_positions", "Three axes: positions", {"rope_phase"}},
      {"bias_prior", "Prior"},
      {"attention_odds", "Odds of two keys"},
      {"permutation_equivariance", "Permuted tokens", {"nope"}},
      {"key_bias", "Bias of keys", {"rope_with_bias"}},
      {"receptive_window", "Reach by layers"},
      {"attention_resolution", "Attention resolution"},
      {"entropy_growth", "Entropy by length", {"nope", "rerope_score", "leaky"}},
      {"rope_bound", "Score bound"},
      {"interpolation_bound", "Interpolation bound", {"rope_phase", "linear"}},
      {"base_bound", "Smallest base", {"rope_phase"}},
      {"critical_dimension", "Critical dimension", {"rope_phase"}},
      {"beta_ary_digit", "Digits", {"beta_ary"}},
      {"pair_permutation", "Pair layouts", {"rope_phase"}},
      {"rope_phase_error", "Precision"},
      {"t5_bucket_error", "Precision", {"t5_bias"}},
      {"rope_error_by_position", "Precision by position"},
      {"t5_error_by_distance", "Precision by distance", {"t5_bias"}},
      {"position_collisions", "Positions that collide", {"rope_phase", "sinusoidal"}},
      {"published_perplexity", "Published perplexity", {"sinusoidal", "rope_phase", "t5_bias", "alibi"}},
      {"published_quality", "Published quality of Transformer-VQ", {"transformer_xl_score"}},
  };
  return all;
}

std::span<const SurveyRow> survey_rows() {
  static const std::vector<SurveyRow> all = make_rows();
  return all;
}

std::string position_word(const SurveyRow& row) {
  if (!row.positions.empty()) return row.positions;
  return row.traits.relative ? "relative" : "absolute";
}

std::vector<std::string> trait_words(const SurveyRow& row) {
  std::vector<std::string> words{position_word(row)};
  if (row.traits.trainable) words.emplace_back("trainable");
  if (row.traits.each_layer) words.emplace_back("each layer");
  return words;
}

const SurveyRow* find_survey_row(std::string_view id) {
  const auto row = std::ranges::find(survey_rows(), id, &SurveyRow::id);
  return row == survey_rows().end() ? nullptr : &*row;
}

ParameterValues view_values(const SurveyView& view, const ParameterValues& from) {
  ParameterValues values = carried_values(*view.method, from);
  for (const auto& [name, value] : view.values.map()) values.set(name, value);
  return values;
}

}  // namespace vqscope
