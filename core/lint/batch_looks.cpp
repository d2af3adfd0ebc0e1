// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch_looks.h"

#include "core/lint/lint.h"
#include "core/mask/mask_difference.h"

#include <algorithm>

namespace vqscope {
namespace {

Result<LintReport> report_of(const MaskImport& import, const ParameterValues& values, const ParameterValues& stated,
                             const std::stop_token& stop) {
  auto imported = with_import(values, import);
  if (!imported) return imported.error();
  auto base = lint_case(*imported);
  if (!base) return base.error();
  auto given = stated.map().empty() ? std::move(base) : lint_case(std::move(*base), stated);
  if (!given) return given.error();
  return lint_mask(*given, {.stop = stop});
}

BatchLook look_of(const MaskImport& import, const MaskImport& first, const ParameterValues& values,
                  const ParameterValues& stated, const std::stop_token& stop) {
  BatchLook look;
  const auto compared = compare_masks(*std::get<1>(first.mask), *std::get<1>(import.mask), {.stop = stop});
  if (compared) look.differs = compared->only_first + compared->only_second;
  auto report = report_of(import, values, stated, stop);
  if (report)
    look.findings = std::move(report->findings);
  else
    look.findings = {{.severity = Severity::warning, .sentence = report.error().message}};
  return look;
}

}  // namespace

std::vector<BatchLook> batch_looks(const MaskBatch& batch, const ParameterValues& values, const ParameterValues& stated,
                                   const std::stop_token& stop) {
  std::vector<const MaskImport*> known;
  std::vector<BatchLook> of_known;
  std::vector<BatchLook> looks;
  for (const auto& mask : batch.masks) {
    if (stop.stop_requested()) return {};
    const auto at = static_cast<std::size_t>(std::ranges::find(known, mask.get()) - known.begin());
    if (at == known.size()) {
      known.push_back(mask.get());
      of_known.push_back(look_of(*mask, *batch.masks.front(), values, stated, stop));
      of_known.back().group = at;
    }
    looks.push_back(of_known[at]);
  }
  return looks;
}

}  // namespace vqscope
