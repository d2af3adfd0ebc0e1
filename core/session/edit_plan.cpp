// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/edit_plan.h"

#include "core/base/sentence.h"
#include "core/mask/batch/text_sizes.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/presets.h"
#include "core/sequence/query_layout.h"
#include "core/session/page_parameters.h"
#include "core/session/resolve.h"
#include "core/session/subject/subject_tensors.h"

#include <algorithm>
#include <initializer_list>

namespace vqscope {
namespace {

/// T follows documents that have changed, unless the edit also sets T.
void follow_documents(const Subject& before, Subject& next) {
  const auto changed = [&](const char* name) { return !same_value(before.values, next.values, name); };
  if (!changed("document_lengths") || changed("q_length")) return;
  const auto* set = before.values.find("q_length");
  const auto followed = q_length_of_documents(before.values), wanted = q_length_of_documents(next.values);
  if (wanted && (!set || (followed && std::get<Index>(*set) == *followed))) next.values.set("q_length", *wanted);
}

bool same_text(const ParameterValues& a, const ParameterValues& b) {
  return same_value(a, b, "mask") && same_value(a, b, "mask_text");
}

/// A length follows that of a mask's text, which has changed, unless somebody has set another: then
/// a note.
void follow_length(const char* name, const std::optional<NamedCount>& before, const std::optional<NamedCount>& now,
                   Subject& subject, Notes& notes) {
  if (!now || (before && before->count == now->count)) return;
  const auto* set = subject.values.find(name);
  const bool followed = set && before && std::get<Index>(*set) == before->count;
  if (!set || followed)
    subject.values.set(name, now->count);
  else if (auto warning = length_warning(name, std::get<Index>(*set), now); !warning.empty())
    notes.push_back(std::move(warning));
}

/// Whether the side that shows the mask of a file still has its text, its cells or its padding.
bool keeps_mask(const ShownPage& now, const ShownPage& next) {
  const auto& before = now.batch.second ? now.other : now.values;
  const auto& after = now.batch.second ? next.other : next.values;
  const auto same = [&](std::initializer_list<const char*> names) {
    return std::ranges::all_of(names, [&](const char* name) { return same_value(before, after, name); });
  };
  if (now.batch.text) return same_text(before, after);
  if (has_imported_mask(before)) return same_text(before, after) && same({"mask_rows"});
  return !has_imported_mask(after) && same({"padding", "padding_side", "document_lengths"});
}

/// T follows a mask's text that gives it.
void follow_text(const ShownPage& now, const ShownPage& next, Subject& subject, Notes& notes) {
  const bool edits_length =
      !same_value(now.values, next.values, "q_length") || !same_value(now.values, next.values, "kv_length");
  if (same_text(now.values, next.values) || edits_length || !is_linked(next, "q_length")) return;
  const TextSizes before = text_sizes_of(now.values);
  const TextSizes sizes = text_sizes_of(next.values);
  follow_length("q_length", before.queries, sizes.queries, subject, notes);
  if (sizes.queries && sizes.keys && sizes.keys->count > sizes.queries->count)
    follow_length("kv_length", before.keys, sizes.keys, subject, notes);
}

/// Whether a page shows an error in the place of tensors that are lost or do not fit its method, and
/// showed the same error before or another method.
bool stays_lost(const ShownPage& now, const ShownPage& next, const Error& error) {
  if (!shows_tensors(next.values)) return false;
  if (now.method != next.method) return true;
  const auto before = check_page(now, page_sides(now));
  return !before && before.error().message == error.message;
}

}  // namespace

Result<EditPlan> plan_state(const ShownPage& now, const Subject& before, ShownPage next, Subject subject) {
  if (!pads_by_itself(next.values)) follow_documents(before, subject);
  record_tensors(before, subject);
  fill_page(next, subject);
  const auto checked = check_page(next, page_sides(next));
  if (checked) return EditPlan{std::move(next), std::move(subject), {}};
  ShownPage settled = next;
  Notes notes = resolve_page(settled, subject);
  const auto stays = [&](const auto& entry) {
    const auto* former = now.values.find(entry.first);
    const auto* shown = settled.values.find(entry.first);
    return (former && *former == entry.second) || (shown && *shown == entry.second);
  };
  const bool given = next.method == now.method && !std::ranges::all_of(next.values.map(), stays);
  const bool compared = next.method == now.method && next.compare != CompareMode::none && settled.other != next.other;
  if (given || compared) return checked.error();
  if (const auto shown = check_page(settled, page_sides(settled)); !shown && !stays_lost(now, settled, shown.error()))
    return shown.error();
  return EditPlan{std::move(settled), std::move(subject), std::move(notes)};
}

Result<EditPlan> plan_values(const ShownPage& now, const Subject& subject, ShownPage next) {
  if (next.batch == now.batch && !keeps_mask(now, next)) next.batch = {};
  Subject kept = subject;
  if (const auto checked = keep_edits(next, now, kept); !checked) return checked.error();
  Notes notes;
  Subject followed = kept;
  follow_text(now, next, followed, notes);
  // The text is kept where its length does not fit the rest of the sequence.
  const bool follows = followed != kept;
  auto plan = plan_state(now, subject, next, std::move(followed));
  if (!plan && follows) plan = plan_state(now, subject, std::move(next), std::move(kept));
  if (plan) plan->notes.insert(plan->notes.begin(), notes.begin(), notes.end());
  return plan;
}

Result<EditPlan> plan_method(const ShownPage& now, const Subject& subject, const Method& method,
                             const ParameterValues& values, PageSide side) {
  EditPlan plan{now, subject, {}};
  const auto follow = [&](ShownPage next) -> Result<void> {
    if (next == plan.page) return {};
    auto made = plan_values(plan.page, plan.subject, std::move(next));
    if (!made) return made.error();
    plan = std::move(*made);
    return {};
  };
  ShownPage turned = plan.page;
  const auto& choices = find_page_info(now.id)->choices();
  if (std::ranges::count(choices, method.id) > 0) turned.method = method.id;
  if (const auto done = follow(std::move(turned)); !done) return done.error();
  ShownPage set = plan.page;
  for (const auto& [name, value] : values.map()) (side == PageSide::b ? set.other : set.values).set(name, value);
  if (const auto done = follow(std::move(set)); !done) return done.error();
  return plan;
}

ShownPage page_under(const ShownPage& page, const Subject& now, const Subject& next) {
  ShownPage moved = page;
  if (next == now) return moved;
  follow_subject(moved, now, next);
  resolve_page(moved, next);
  if (!keeps_mask(page, moved)) moved.batch = {};
  return moved;
}

}  // namespace vqscope
