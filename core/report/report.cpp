// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/embed/embedded_text.h"
#include "core/io/watch/watched_file.h"
#include "core/lint/finding_text.h"
#include "core/method/verdict/verdict.h"
#include "core/output/exporter.h"
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
  else if (!batch.file.empty() && !batch.text)
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

namespace {

std::vector<const ReportPicture*> pictures_in(const ReportDocument& document) {
  std::vector<const ReportPicture*> pictures;
  for (const auto& section : document.sections)
    for (const auto& block : section.blocks)
      if (const auto* picture = std::get_if<ReportPicture>(&block)) pictures.push_back(picture);
  return pictures;
}

}  // namespace

std::vector<ReportFile> report_files(const ReportDocument& document, ReportFormat format, const std::string& path) {
  if (format == ReportFormat::html) return {{path, html_of(document)}};
  const std::string suffix = file_suffix(path);
  const std::string stem = path.substr(0, path.size() - (suffix.empty() ? 0 : suffix.size() + 1));
  std::vector<ReportFile> files(1);
  std::vector<std::string> names;
  for (const ReportPicture* picture : pictures_in(document)) {
    const std::string number = names.empty() ? "" : fmt::format("-{}", names.size() + 1);
    const std::string beside = stem + number + (picture->media_type == "image/png" ? ".png" : ".svg");
    files.push_back({beside, picture->bytes, path});
    names.emplace_back(file_name(beside));
  }
  files.front() = {path, markdown_of(document, names)};
  return files;
}

namespace {

constexpr std::size_t largest_text = std::size_t{64} << 20;

/// A picture may replace the one of an earlier report, but no other file of its name.
Result<void> check_pictures(const std::vector<ReportFile>& files) {
  for (const auto& file : files) {
    if (file.text.empty() || !stamp_of(file.path)) continue;
    const auto before = read_text(file.text, largest_text);
    if (before && before->find(file_name(file.path)) != std::string::npos) continue;
    return invalid("{} is there already, and is no picture of {}: give the report another name", shown_path(file.path),
                   shown_path(file.text));
  }
  return {};
}

}  // namespace

Result<void> write_report(const std::vector<ReportFile>& files) {
  if (auto checked = check_pictures(files); !checked) return checked;
  std::vector<std::string> paths;
  std::vector<const ReportFile*> once;
  for (const auto& file : files) {
    const auto same = std::ranges::find(once, file.path, &ReportFile::path);
    if (same != once.end() && (*same)->bytes == file.bytes) continue;
    if (same != once.end())
      return invalid("two reports would write {}; give one of them another name", shown_path(file.path));
    paths.push_back(file.path);
    once.push_back(&file);
  }
  const auto opened = open_whole_files(paths);
  if (!opened) return opened.error();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (auto written = (*opened)[i]->write(once[i]->bytes); !written) return written;
    if (auto flushed = (*opened)[i]->flush(); !flushed) return flushed;
  }
  return commit(*opened);
}

std::string report_text(const ReportDocument& document, ReportFormat format) {
  return format == ReportFormat::html ? html_of(document) : markdown_of(document);
}

}  // namespace vqscope
