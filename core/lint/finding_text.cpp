// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/finding_text.h"

#include "core/base/sentence.h"

namespace vqscope {

const char* severity_word(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::question: break;
  }
  return "question";
}

std::string sample_of(const Finding& finding) {
  std::string place;
  if (finding.batch) place = fmt::format("sample {}", *finding.batch);
  if (finding.head) place += fmt::format("{}head {}", place.empty() ? "" : ", ", *finding.head);
  return place.empty() ? place : place + ": ";
}

}  // namespace vqscope
