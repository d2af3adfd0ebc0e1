// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/report/document/document.h"
#include "core/report/report_request.h"

#include <string>
#include <vector>

namespace vqscope {

enum class ReportFormat { html, markdown };

/// What the page in front shows, in words, pictures and numbers, with the session in it. Refuses
/// pages that show nothing, such as Start.
Result<ReportDocument> make_report(const ReportRequest& request, const Work& work = {});

/// The report as one text.
std::string report_text(const ReportDocument& document, ReportFormat format);

struct ReportFile {
  std::string path;
  std::string bytes;
  std::string text = {};  ///< path of the text that shows this picture; empty: it is none
};

/// The report as the file `path`. Markdown has its pictures in files beside it, "report.svg",
/// "report-2.svg": GitHub and most readers show no picture that is within the text.
std::vector<ReportFile> report_files(const ReportDocument& document, ReportFormat format, const std::string& path);

/// Writes all files or none; a path that occurs twice is written once. A picture beside a text replaces
/// no file that the text of before does not show.
Result<void> write_report(const std::vector<ReportFile>& files);

}  // namespace vqscope
