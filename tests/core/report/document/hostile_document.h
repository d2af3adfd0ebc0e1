// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document/document.h"

namespace vqscope::test {

inline constexpr std::size_t hostile_texts = 20;  ///< at least, in hostile_document()

/// A document whose every text breaks out of any place that does not escape it.
inline ReportDocument hostile_document() {
  const std::string evil = "</code></pre>\"><script>alert(1)</script><b onload='x'>|`*_[a](javascript:b)";
  ReportSection section{.title = evil};
  section.add(ReportText{evil});
  section.add(ReportTable{.caption = evil, .headings = {evil, evil}, .rows = {{{evil, CellTone::heading}, {evil}}}});
  section.add(
      ReportTable{.caption = evil, .headings = {evil}, .rows = {{{evil, CellTone::visible, true}}}, .is_grid = true});
  section.add(ReportCode{evil, evil + "\n```\n" + evil});
  section.add(ReportPicture{evil, evil, "image/png", "bytes", "dark"});
  section.add(ReportFinding{"error", evil, evil, evil, evil});
  section.add(ReportNote{evil, evil + "\n" + evil});
  return {.title = evil,
          .lead = evil,
          .verdict = {evil},
          .verdict_severity = "error",
          .sections = {section},
          .made_by = evil,
          .session = "vqscope-session:0:AwA=;"};
}

}  // namespace vqscope::test
