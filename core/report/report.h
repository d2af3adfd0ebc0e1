// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/report/document/document.h"
#include "core/report/report_request.h"

#include <string>

namespace vqscope {

enum class ReportFormat { html, markdown };

/// What the page in front shows, in words, pictures and numbers, with the session in it. Refuses
/// pages that show nothing, such as Start.
Result<ReportDocument> make_report(const ReportRequest& request, const Work& work = {});

std::string report_text(const ReportDocument& document, ReportFormat format);

}  // namespace vqscope
