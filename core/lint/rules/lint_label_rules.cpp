// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/lint/lint_plan.h"
#include "core/lint/lint_regions.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The offset of the label that is the target of query q: labels[q] itself, or the next one.
Index shift_of(LabelKind kind) { return kind == LabelKind::shifted ? 1 : 0; }

/// The target of query q; nothing if it has no loss.
std::optional<Index> target_of(const LintCase& given, LabelKind kind, Index q) {
  const Index at = q + shift_of(kind);
  if (at >= given.layout.q_length()) return std::nullopt;
  const Index label = given.labels[static_cast<std::size_t>(at)];
  return label == no_loss ? std::nullopt : std::optional(label);
}

/// The key after the query's own, if it is a real token.
std::optional<Index> next_key(const SequenceLayout& layout, Index q) {
  const auto own = layout.key_of(q);
  if (!own || *own + 1 >= layout.kv_length() || !layout.key_valid(*own + 1)) return std::nullopt;
  return *own + 1;
}

/// Faults of the labels under one reading.
struct LabelFaults {
  std::vector<Range> across;  ///< queries whose target is the first token of the next document
  std::vector<Band> targets;  ///< queries with a loss, each with the key of its target
  std::optional<Index> wrong_token;
  std::uint64_t wrong_tokens = 0;
};

bool is_token(const LintCase& given, Index label, Index q) {
  return q < static_cast<Index>(given.input_ids.size()) && given.input_ids[static_cast<std::size_t>(q)] == label;
}

/// Adds one cell per row; those along a diagonal form one band.
void add_cell(Index q, Index key, std::vector<Band>& bands) {
  const Band band{{q, q + 1}, Ramp::moving(key - q), Ramp::moving(key - q + 1)};
  if (!bands.empty() && bands.back().rows.end == q && bands.back().lo == band.lo)
    ++bands.back().rows.end;
  else
    bands.push_back(band);
}

void look_at(const LintCase& given, LabelKind kind, Index q, LabelFaults& faults) {
  const SequenceLayout& layout = given.layout;
  const auto label = target_of(given, kind, q);
  if (!label || !layout.q_valid(q)) return;
  const auto next = next_key(layout, q);
  if (!next) return;
  const bool known = !given.input_ids.empty() && q + 1 < layout.q_length();
  const bool same_document = layout.kv_document(*next) == layout.q_document(q);
  // If the tokens are known, a label that differs from the next token may be an end-of-text token
  // that the input lacks.
  if (!same_document) {
    if (!known || is_token(given, *label, q + 1)) append_range({q, q + 1}, faults.across);
    return;
  }
  add_cell(q, *next, faults.targets);
  if (!known || is_token(given, *label, q + 1)) return;
  if (faults.wrong_tokens++ == 0) faults.wrong_token = q;
}

LabelFaults label_faults(const LintCase& given, LabelKind kind) {
  LabelFaults faults;
  if (kind == LabelKind::masked) return faults;
  for (Index q = 0; q < given.layout.q_length(); ++q) look_at(given, kind, q, faults);
  return faults;
}

std::string kind_name(LabelKind kind) { return kind == LabelKind::aligned ? "aligned" : "shifted"; }

void add_findings(const LintCase& given, LabelKind kind, const LabelFaults& faults, const CellTally& seen,
                  std::vector<Finding>& out) {
  const std::string read = "labels are " + kind_name(kind);
  if (!faults.across.empty()) {
    const Index q = faults.across.front().begin;
    out.push_back(finding(
        Severity::error, q, {},
        fmt::format("query {} has the first token of the next document as its label ({}): expected -100 at label {}", q,
                    read, q + shift_of(kind)),
        total_size(faults.across), "label"));
    out.back().rows = faults.across;
  }
  if (seen.wrong > 0)
    out.push_back(finding(
        Severity::error, seen.row, seen.key,
        fmt::format(
            "query {} sees key {}, which is its own label ({}): exclude a query that sees its target from the loss",
            seen.row, seen.key, read),
        seen.wrong, "label"));
  if (!faults.wrong_token) return;
  const Index q = *faults.wrong_token;
  out.push_back(finding(
      Severity::error, q, {},
      fmt::format("query {} has the target {}, but the next token is {} ({}): labels are shifted twice or not at all",
                  q, *target_of(given, kind, q), given.input_ids[static_cast<std::size_t>(q) + 1], read),
      faults.wrong_tokens, "label"));
}

bool has_faults(const LabelFaults& faults, const CellTally& seen) {
  return !faults.across.empty() || seen.wrong > 0 || faults.wrong_token;
}

/// The possible readings of the labels.
std::vector<LabelKind> possible_kinds(const LintCase& given) {
  if (given.labels_are != LabelKind::unset) return {given.labels_are};
  if (!looks_back(given.objective)) return {LabelKind::masked};
  if (given.input_ids.empty()) return {LabelKind::aligned, LabelKind::shifted};
  // The tokens decide which reading is right.
  const bool aligned = !label_faults(given, LabelKind::aligned).wrong_token;
  const bool shifted = !label_faults(given, LabelKind::shifted).wrong_token;
  if (aligned == shifted) return {LabelKind::aligned, LabelKind::shifted};
  return {aligned ? LabelKind::aligned : LabelKind::shifted};
}

RulePlan next_token_labels(const LintCase& given) {
  if (given.labels.empty()) return skipped("labels are not given");
  if (given.layout.query_source() == QuerySource::own) return skipped("the keys are a different sequence");
  if (given.layout.has_slots()) return skipped("the cache has slots");
  const auto kinds = possible_kinds(given);
  if (kinds.front() == LabelKind::masked) return skipped("labels are the tokens themselves");
  RulePlan plan;
  std::vector<LabelFaults> faults;
  for (const LabelKind kind : kinds) {
    faults.push_back(label_faults(given, kind));
    plan.probes.push_back({CellSet(faults.back().targets), false, kinds.size() == 1});
    faults.back().targets.clear();
  }
  if (std::ranges::none_of(faults, [](const LabelFaults& each) { return each.across.empty(); }))
    plan.rows_that_break = faults.front().across;
  plan.conclude = [&given, kinds, faults](const Tallies& tallies, std::vector<Finding>& out) {
    std::vector<bool> bad;
    for (std::size_t i = 0; i < kinds.size(); ++i) bad.push_back(has_faults(faults[i], tallies.cells[i]));
    if (std::ranges::count(bad, false) == static_cast<std::ptrdiff_t>(bad.size())) return;
    if (std::ranges::count(bad, true) == static_cast<std::ptrdiff_t>(bad.size()))
      return add_findings(given, kinds.front(), faults.front(), tallies.cells.front(), out);
    const std::size_t wrong = bad[0] ? 0 : 1;
    std::vector<Finding> would;
    add_findings(given, kinds[wrong], faults[wrong], tallies.cells[wrong], would);
    out.push_back(question(fmt::format("labels are correct only if they are {}: set labels_are; else {}",
                                       kind_name(kinds[1 - wrong]), would.front().sentence),
                           {suggest("labels_are", kind_name(kinds[1 - wrong]))}));
  };
  return plan;
}

/// The last real token of a sequence that has no loss because it is also the padding token;
/// nothing: there is none.
std::optional<Index> unlearned_end(const LintCase& given) {
  if (given.input_ids.empty()) return {};
  const auto kinds = possible_kinds(given);
  const auto runs = given.layout.q_runs();
  const auto token = [&](Index q) { return given.input_ids[static_cast<std::size_t>(q)]; };
  for (std::size_t i = 0; i + 1 < runs.size() && kinds.front() != LabelKind::masked; ++i) {
    const Range real = runs[i].tokens;
    if (!runs[i].valid || runs[i + 1].valid || real.size() < 3 || token(real.end - 1) != token(real.end)) continue;
    const bool is_left_out = std::ranges::all_of(kinds, [&](LabelKind kind) {
      return target_of(given, kind, real.end - 3) && !target_of(given, kind, real.end - 2);
    });
    if (is_left_out) return real.end - 1;
  }
  return {};
}

RulePlan labels(const LintCase& given) {
  if (given.labels.empty()) return skipped("labels are not given");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    std::uint64_t padded = 0;
    std::uint64_t learned = 0;
    std::vector<Range> padded_rows;
    for (const TokenRun& run : given.layout.q_runs())
      for (Index q = run.tokens.begin; q < run.tokens.end; ++q) {
        if (given.labels[static_cast<std::size_t>(q)] == no_loss) continue;
        ++(run.valid ? learned : padded);
        if (!run.valid) append_range({q, q + 1}, padded_rows);
      }
    if (padded > 0) {
      const Index first = padded_rows.front().begin;
      out.push_back(finding(Severity::error, first, {},
                            fmt::format("query {} is padding, but its label counts in the loss: expected -100", first),
                            padded, "label"));
      out.back().rows = padded_rows;
    }
    if (const auto end = unlearned_end(given))
      out.push_back(finding(Severity::warning, *end - 1, {},
                            fmt::format("token {} is real and has no loss, as padding with the same token {} has none: "
                                        "the model does not learn to end",
                                        *end, given.input_ids[static_cast<std::size_t>(*end)])));
    if (learned == 0)
      out.push_back(finding(Severity::error, {}, {}, "no real token has a label: the mean loss is NaN"));
  };
  return plan;
}

}  // namespace

std::vector<LintRule> label_rules() {
  return {
      {{"labels", "Labels on padding", "Padding is excluded from the loss, and at least one token is included.",
        "Hugging Face: ignore_index -100"},
       labels},
      {{"label_leak", "Labels leak or are shifted",
        "No query has a label that it can see, or the first token of the next document.",
        "torchtitan#4075, unsloth#8959"},
       next_token_labels},
  };
}

}  // namespace vqscope
