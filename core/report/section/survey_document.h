// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document/document.h"

namespace vqscope {

/// The survey of position encodings as a report, without a session of its own.
ReportDocument survey_document();

}  // namespace vqscope
