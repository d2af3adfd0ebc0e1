// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/section/shown.h"

#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/mask/map/read_visible.h"
#include "core/mask/recognise/relation.h"
#include "core/method/compared.h"
#include "core/session/shown_page.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t longest_value = 160;
constexpr Index recognition_steps = most_steps_of_an_answer / 8;  // a report is made in about a second

/// The method that was asked for, or that the page shows; pages without one are refused.
Result<const Method*> method_of(const ReportRequest& request, const ShownPage& page) {
  const PageInfo& info = *find_page_info(page.id);
  const auto& choices = info.choices();
  const bool is_shown = std::ranges::count(choices, page.method) > 0;
  const std::string& shown = is_shown || choices.empty() ? page.method : choices.front();
  const Method* method = find_method(request.method.empty() ? shown : request.method);
  if (method && (method->field() || method->curves())) return method;
  return invalid("{} has no picture or numbers to report; turn to a page that has, or name a METHOD", info.title);
}

Result<std::shared_ptr<const Field>> prepared_field(const Method& method, const ParameterValues& values,
                                                    const Work& work) {
  auto made = make_field(method, values, work);
  if (!made) return made.error();
  if (auto prepared = (*made)->prepare(work); !prepared) return prepared.error();
  return made;
}

Result<void> compute_field(ReportShown& shown, const Work& work) {
  auto made = make_compared_field(*shown.method, shown.values, subtrahend(*shown.method, shown.page), work);
  if (!made) return made.error();
  shown.field = std::move(*made);
  if (auto prepared = shown.field->prepare(work); !prepared) return prepared;
  if (shown.page.compare != CompareMode::side_by_side) return {};
  auto other = prepared_field(*shown.method, carried_values(*shown.method, shown.page.other), work);
  if (!other) return other.error();
  shown.other = std::move(*other);
  return {};
}

/// Measurements are not repeated for a report.
Result<void> compute_curves(ReportShown& shown, const Work& work) {
  shown.curves = shown.request->curves;
  if (shown.curves) return {};
  if (shown.method->curves()->origin == CurveOrigin::measured)
    return invalid("{} is a measurement: run it in the window, then report it there", shown.method->title);
  auto made = make_curves(*shown.method, shown.values, work);
  if (!made) return made.error();
  shown.curves = std::make_shared<const CurveSet>(std::move(*made));
  return {};
}

/// Whether rows and columns are queries and keys.
bool shows_cells_of_mask(const Field& field) {
  return std::holds_alternative<std::shared_ptr<const Mask>>(field.form());
}

Result<void> check_mask(ReportShown& shown, const Work& work) {
  std::shared_ptr<const Field> own = shown.field;
  if (shown.page.compare == CompareMode::difference) {
    auto made = prepared_field(*shown.method, shown.values, work);
    if (!made) return made.error();
    own = std::move(*made);
  }
  const auto mask = mask_of(own);
  if (!mask || !shows_cells_of_mask(*own)) return {};
  shown.mask = mask;
  shown.words = KeptRecognition().of(mask, recognition_steps, work.stop);
  auto base = lint_case(shown.values);
  if (!base) return base.error();
  auto expected = lint_case(std::move(*base), completed_values(lint_parameters(), shown.page.lint));
  if (!expected) return expected.error();
  shown.checks =
      shown.request->checks
          ? *shown.request->checks
          : lint_mask(*expected, {.rules = {}, .most_steps = recognition_steps, .stop = work.stop, .progress = {}});
  shown.expected = std::move(*expected);
  shown.fix = fix_of_text(shown.values, shown.page.lint, shown.checks, {.stop = work.stop});
  return {};
}

Result<void> take_second(ReportShown& shown, const Work& work) {
  if (!shown.mask || shown.page.compare == CompareMode::none) return {};
  const auto field = shown.other ? Result<std::shared_ptr<const Field>>(shown.other)
                                 : prepared_field(*shown.method, carried_values(*shown.method, shown.page.other), work);
  if (!field) return field.error();
  shown.second = mask_of(*field);
  if (shown.second && shown.second->extent() != shown.mask->extent()) shown.second = nullptr;
  if (shown.second) shown.relation = relation_of(*shown.mask, *shown.second, "A", "B", work.stop);
  return {};
}

/// The column of a row that nobody has chosen: in a mask the query's own key.
Index default_column(const ReportShown& shown, Index row) {
  if (!shown.mask) return 0;
  const Extent extent = shown.mask->extent();
  return std::clamp<Index>(row + extent.cols - extent.rows, 0, extent.cols - 1);
}

/// That of the first finding with one, else the last query and its own key.
ReportPlace place_of_mask(const ReportShown& shown) {
  const ReportRequest& request = *shown.request;
  for (const auto& finding : shown.checks.findings)
    if (finding.row && finding.batch.value_or(request.batch) == request.batch &&
        finding.head.value_or(request.head) == request.head)
      return {*finding.row, finding.key.value_or(default_column(shown, *finding.row))};
  const Index last = shown.mask->extent().rows - 1;
  return {last, default_column(shown, last)};
}

Result<void> choose_place(ReportShown& shown) {
  const auto row = shown.request->row, col = shown.request->col;
  if (!shown.field)
    return row || col ? invalid("{} is a set of curves and has no cells", shown.method->title) : Result<void>();
  const Extent extent = shown.field->extent();
  if (row && (*row < 0 || *row >= extent.rows))
    return invalid("the row is {} but must be 0 to {}", *row, extent.rows - 1);
  if (col && (*col < 0 || *col >= extent.cols))
    return invalid("the key is {} but must be 0 to {}", *col, extent.cols - 1);
  if (row)
    shown.place = ReportPlace{*row, col.value_or(default_column(shown, *row))};
  else if (shown.mask)
    shown.place = place_of_mask(shown);
  else if (const auto notes = shown_notes(shown); !notes.empty())
    shown.place = ReportPlace{notes.front().row, notes.front().col};
  return {};
}

}  // namespace

Result<ReportShown> shown_of(const ReportRequest& request, const Work& work) {
  ReportShown shown{.request = &request, .page = shown_page(request.session, request.session.current)};
  const auto method = method_of(request, shown.page);
  if (!method) return method.error();
  shown.method = *method;
  shown.values = carried_values(*shown.method, shown.page.values);
  if (auto checked = check_method_values(*shown.method, shown.values); !checked) return checked.error();
  const bool is_matrix = shown.method->field() != nullptr;
  if (auto made = is_matrix ? compute_field(shown, work) : compute_curves(shown, work); !made) return made.error();
  if (is_matrix)
    if (auto checked = check_mask(shown, work); !checked) return checked.error();
  if (auto taken = take_second(shown, work); !taken) return taken.error();
  const bool is_plain = shown.method->remark && shown.page.compare != CompareMode::difference;
  if (is_plain && !shown.mask) shown.remark = shown.method->remark(shown.values, work);
  if (auto chosen = choose_place(shown); !chosen) return chosen.error();
  if (work.stop.stop_requested()) return cancelled();
  return shown;
}

std::string size_text(const ReportShown& shown) {
  if (!shown.field) {
    const std::size_t count = shown.curves->curves.size();
    return fmt::format("{} {}", count, count == 1 ? "curve" : "curves");
  }
  const Extent extent = shown.field->extent();
  if (shown.mask) return fmt::format("{} queries × {} keys", grouped(extent.rows), grouped(extent.cols));
  return fmt::format("{} rows × {} columns", grouped(extent.rows), grouped(extent.cols));
}

std::string place_text(const ReportShown& shown, const ReportPlace& place) {
  const FieldRecipe& recipe = *shown.method->field();
  const std::string col = recipe.col_name ? recipe.col_name(shown.values) : "key";
  return fmt::format("{} {}, {} {}", recipe.row_name, place.row, col, place.col);
}

std::string with_capital(std::string words) {
  const auto word = std::string_view(words).substr(0, words.find(' '));
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == ','; };
  const bool is_word = word.size() > 1 && std::ranges::all_of(word, is_letter) && word.front() >= 'a';
  if (is_word) words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words;
}

std::string as_sentence(const std::string& words) {
  if (words.empty()) return words;
  return with_capital(words) + (words.ends_with('.') ? "" : ".");
}

std::string short_text(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  const std::string text = format_value(value);
  const auto items = std::ranges::count(text, ',') + 1;
  const bool is_list =
      std::holds_alternative<std::vector<Index>>(value) || std::holds_alternative<std::vector<double>>(value);
  if (is_list && text.size() > longest_value)
    return fmt::format("{} ({} items)", shortened(text, longest_value), items);
  return shortened(text, longest_value);
}

}  // namespace vqscope
