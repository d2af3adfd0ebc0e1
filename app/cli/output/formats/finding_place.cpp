// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/formats/finding_place.h"

#include "core/base/fingerprint.h"
#include "core/io/tensor/tensor_name.h"
#include "core/mask/preset/mask_import.h"

#include <algorithm>

namespace vqscope {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The term that masks the cell of a finding, as its place in the text.
std::optional<std::size_t> startOfTerm(const Finding& finding, const LintCase& given) {
  if (!finding.row || !finding.key || finding.batch.value_or(0) > 0 || finding.head.value_or(0) > 0)
    return std::nullopt;
  const Extent extent = given.mask->extent();
  if (*finding.row >= extent.rows || *finding.key >= extent.cols) return std::nullopt;
  const auto term = given.mask->failing_term(*finding.row, *finding.key);
  if (!term) return std::nullopt;
  const TextNotes notes = given.mask->text_notes(*finding.row, *finding.key);
  const auto found = std::ranges::find(notes.terms, *term, &TermRange::term);
  if (found == notes.terms.end()) return std::nullopt;
  return static_cast<std::size_t>(found->range.begin);
}

FindingPlace placeAt(const std::string& text, std::size_t offset) {
  const std::string_view before = std::string_view(text).substr(0, std::min(offset, text.size()));
  const auto lines = std::ranges::count(before, '\n');
  const auto start = before.rfind('\n');
  const std::string_view line = before.substr(start == std::string_view::npos ? 0 : start + 1);
  // Columns count characters: bytes that continue one are left out.
  const auto characters = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
  return {lines + 1, characters + 1};
}

}  // namespace

CheckedFile checkedFile(const MethodArguments& arguments, const Samples& samples) {
  CheckedFile file;
  const auto& given = arguments.mask ? arguments.mask : arguments.batchFile;
  if (given && *given != "-") {
    const auto name = parse_tensor_name(*given);
    file.path = name ? name->file : *given;
  }
  const auto& opened = samples.cases.front().arguments.opened;
  if (opened && opened->is_text()) {
    file.text = std::get<0>(opened->mask);
    if (!file.path.empty()) file.path = *given;
  }
  return file;
}

FindingPlace placeOf(const Finding& finding, const CheckOutput* output, const CheckedFile& file) {
  if (!output || file.text.empty()) return {};
  if (output->fix && output->fix->mends(finding)) return {output->fix->line, output->fix->column};
  if (const auto start = startOfTerm(finding, output->given)) return placeAt(file.text, *start);
  const auto returned = file.text.rfind("return");
  return placeAt(file.text, returned == std::string::npos ? 0 : returned);
}

std::string fingerprintOf(const Finding& finding, const CheckedFile& file) {
  std::string words;
  for (const char c : finding.sentence)
    if (!isDigit(c)) words += c;
  Fingerprint fingerprint;
  for (const auto& part : {finding.rule, file.path, words}) fingerprint.add(part);
  return fingerprint.text();
}

}  // namespace vqscope
