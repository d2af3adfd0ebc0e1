// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/io/embed/embedded_text.h"
#include "core/lint/finding_text.h"
#include "core/method/verdict/verdict.h"
#include "core/report/document/html.h"
#include "core/report/document/markdown.h"
#include "core/report/section/shown.h"
#include "core/report/section/survey_document.h"
#include "core/session/session_json.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// The first finding and how many there are; of other pages the remark.
void add_verdict(const ReportShown& shown, ReportDocument& document) {
  auto& verdict = document.verdict;
  if (!shown.remark.empty()) verdict.push_back(as_sentence(shown.remark));
  if (shown.curves)
    if (const auto sentence = verdict_of(*shown.method, *shown.curves); !sentence.empty())
      verdict.push_back(as_sentence(sentence));
  if (!verdict.empty()) document.verdict_severity = "note";
  if (!shown.relation.empty()) verdict.push_back(as_sentence(shown.relation));
  if (!shown.expected) return;
  const auto& findings = shown.checks.findings;
  const bool has_error = shown.checks.count(Severity::error) > 0;
  const bool is_undecided = findings.empty() && !shown.checks.questions.empty();
  document.verdict_severity = has_error ? "error" : is_undecided ? "note" : findings.empty() ? "" : "warning";
  const auto worst = std::ranges::find(findings, has_error ? Severity::error : Severity::warning, &Finding::severity);
  if (worst != findings.end()) verdict.push_back(as_sentence(sample_of(*worst) + worst->sentence));
  if (is_undecided)
    for (const Finding& question : shown.checks.questions)
      verdict.push_back(as_sentence("Undecided: " + sample_of(question) + question.sentence));
  const bool is_kept = findings.empty() && !is_undecided;
  verdict.push_back(fmt::format("{}: {}.", is_kept ? "No rule is broken" : "Checks", shown.checks.summary()));
}

std::string title_of(const ReportShown& shown) {
  std::string title = shown.method->title;
  if (shown.mask) title = "Attention mask";
  if (shown.mask && shown.words && shown.words->fits) title += ": " + shown.words->sentence;
  const std::string& model = shown.request->session.subject.model;
  return model.empty() ? title : title + ", " + model;
}

/// For readers who do not know the program.
std::string lead_of(const ReportShown& shown) {
  std::string lead = size_text(shown);
  const BatchChoice& batch = shown.page.batch;
  if (!shown.request->sample.empty())
    lead += "; this is " + shown.request->sample;
  else if (!batch.file.empty())
    lead += fmt::format("; this is sample {}, head {} of {}", batch.sample, batch.head, batch.file);
  if (!shown.mask) return lead + ". " + shown.method->help;
  return lead +
         ". A query is a token that attends, a key a token that it may attend to: the mask says for each pair "
         "whether the query sees the key.";
}

/// All but the pictures, which come second.
ReportDocument document_of(const ReportShown& shown, const Work& work) {
  ReportDocument document{.title = title_of(shown), .lead = lead_of(shown)};
  add_verdict(shown, document);
  auto& sections = document.sections;
  if (shown.mask) sections.push_back(checks_section(shown));
  if (shown.field && !shown_notes(shown).empty()) sections.push_back(notes_section(shown));
  if (shown.mask && shown.place) sections.push_back(rows_section(shown));
  if (shown.mask) sections.push_back(mask_section(shown));
  if (shown.page.id == "model") sections.push_back(model_section(shown));
  if (!shown.mask) sections.push_back(numbers_section(shown, work));
  sections.push_back(settings_section(shown));
  sections.push_back(commands_section(shown));
  return document;
}

void sign(const ReportRequest& request, ReportDocument& document) {
  document.made_by = fmt::format("Made by {}.", request.program);
  document.session = embedded_text(session_text(request.session));
}

/// The survey has neither a method nor a picture.
ReportDocument survey_report(const ReportRequest& request) {
  ReportDocument document = survey_document();
  sign(request, document);
  return document;
}

}  // namespace

Result<ReportDocument> make_report(const ReportRequest& request, const Work& work) {
  if (request.session.current == "survey" && request.method.empty()) return survey_report(request);
  return guarded([&]() -> Result<ReportDocument> {
    std::optional<Result<ReportShown>> shown;
    ReportDocument document;
    run_offloaded(request.offload, [&] {
      shown.emplace(shown_of(request, work));
      if (!*shown) return;
      document = document_of(**shown, work);
      sign(request, document);
    });
    if (!*shown) return shown->error();
    auto pictures = picture_section(**shown, work);
    if (!pictures) return pictures.error();
    if (work.stop.stop_requested()) return cancelled();
    document.sections.insert(document.sections.begin(), std::move(*pictures));
    return document;
  });
}

std::string report_text(const ReportDocument& document, ReportFormat format) {
  return format == ReportFormat::html ? html_of(document) : markdown_of(document);
}

}  // namespace vqscope
