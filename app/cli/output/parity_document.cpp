// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/parity_document.h"

#include "core/base/sentence.h"
#include "core/base/text.h"

#include <cmath>

namespace vqscope {
namespace {

std::string engineOf(const Capture& capture) {
  return capture.info.engine.empty() ? capture.path : capture.info.engine + " " + capture.info.version;
}

ReportSection causeSection(const Parity& parity) {
  ReportSection section{"Cause", {}};
  if (parity.cause) {
    ReportFinding finding{"error", parity.cause->id, parity.sentence, "", ""};
    finding.rule = fmt::format("It explains {} % of the difference.", to_text(100 * parity.cause->explained, 4));
    section.add(std::move(finding));
    section.add(ReportCode{"Parameters (a: in A, b: in B)", indented_json(parity.cause->parameters)});
  } else {
    section.add(ReportText{parity.sentence});
  }
  if (parity.comparison.first)
    section.add(ReportText{"The first difference is at " + place_text(*parity.comparison.first) + "."});
  ReportTable others{"What else explains 30 % or more.", {"cause", "explained"}, {}};
  for (const TriedCause& each : parity.alternatives)
    others.rows.push_back({{cause_sentence(each)}, {to_text(100 * each.explained, 4) + " %", CellTone::number}});
  if (!others.rows.empty()) section.add(std::move(others));
  for (const std::string& each : parity.undetermined) section.add(ReportText{each});
  return section;
}

ReportSection layersSection(const Parity& parity) {
  ReportSection section{"Layers", {}};
  ReportTable table{"Root mean square of B - A over that of A; what exceeds noise is marked.", {"layer"}, {}};
  std::vector<TensorRole> roles;
  for (const TensorRole role : tensor_roles)
    for (const ComparedLayer& layer : parity.comparison.layers)
      if (layer.tensors.contains(role)) {
        roles.push_back(role);
        table.headings.emplace_back(name_of(role));
        break;
      }
  for (const ComparedLayer& layer : parity.comparison.layers) {
    std::vector<TableCell> row{{to_text(layer.layer), CellTone::number}};
    for (const TensorRole role : roles) {
      const auto found = layer.tensors.find(role);
      row.push_back({found == layer.tensors.end() ? "" : to_text(found->second.relative, 2), CellTone::number,
                     parity.comparison.exceeds(layer.layer, role)});
    }
    table.rows.push_back(std::move(row));
  }
  section.add(std::move(table));
  for (const auto& [side, remarks] :
       {std::pair{"A", &parity.comparison.read_a}, std::pair{"B", &parity.comparison.read_b}})
    for (const std::string& each : *remarks) section.add(ReportText{fmt::format("{}: {}", side, each)});
  return section;
}

}  // namespace

ReportDocument parityDocument(const Parity& parity, const Capture& a, const Capture& b) {
  ReportDocument document;
  document.title = "Parity of " + engineOf(a) + " and " + engineOf(b);
  document.lead = fmt::format("A is {}, B is {}.", a.path, b.path);
  document.verdict = {std::string(name_of(parity.comparison.verdict)) + ": " + parity.sentence};
  if (parity.comparison.first) document.verdict_severity = "error";
  if (parity.comparison.first) document.sections.push_back(causeSection(parity));
  document.sections.push_back(layersSection(parity));
  document.made_by = "VQScope";
  return document;
}

}  // namespace vqscope
