// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/io/embed/embedded_text.h"
#include "core/method/verdict/verdict.h"
#include "core/report/document/html.h"
#include "core/report/document/markdown.h"
#include "core/report/section/shown.h"
#include "core/report/section/survey_document.h"
#include "core/session/session_json.h"

#include <utility>

namespace vqscope {
namespace {

/// The first finding and how many there are; of other pages the remark.
void add_verdict(const ReportShown& shown, ReportDocument& document) {
  if (!shown.remark.empty()) document.verdict.push_back(shown.remark + (shown.remark.ends_with('.') ? "" : "."));
  if (shown.curves)
    if (const auto sentence = verdict_of(*shown.method, *shown.curves); !sentence.empty())
      document.verdict.push_back(sentence);
  if (!document.verdict.empty()) document.verdict_severity = "note";
  if (!shown.expected) return;
  const auto& findings = shown.checks.findings;
  const bool has_error = shown.checks.count(Severity::error) > 0;
  document.verdict_severity = has_error ? "error" : findings.empty() ? "" : "warning";
  for (const auto& finding : findings)
    if (finding.severity == Severity::error || !has_error) {
      document.verdict.push_back(finding.sentence + ".");
      break;
    }
  document.verdict.push_back(findings.empty() ? fmt::format("No rule is broken: {}.", shown.checks.summary())
                                              : fmt::format("Checks: {}.", shown.checks.summary()));
}

std::string lead_of(const ReportShown& shown) {
  std::string lead = size_text(shown);
  if (shown.words && shown.words->fits) lead += ": " + shown.words->sentence;
  if (!shown.request->sample.empty()) lead += "; this is " + shown.request->sample;
  return lead + ". " + shown.method->help;
}

/// All but the pictures, which come second.
ReportDocument document_of(const ReportShown& shown, const Work& work) {
  ReportDocument document{.title = shown.method->title, .lead = lead_of(shown)};
  const std::string& model = shown.request->session.subject.model;
  if (!model.empty()) document.title += ", " + model;
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
