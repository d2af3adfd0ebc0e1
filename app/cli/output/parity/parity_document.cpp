// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/parity/parity_document.h"

#include "app/cli/output/parity/parity_pictures.h"
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
    section.add(ReportFinding{"error", parity.cause->id,
                              fmt::format("{}. It explains {} % of the difference.", parity.sentence,
                                          to_text(100 * parity.cause->explained, 4)),
                              "", ""});
    if (const std::string call = cause_call(*parity.cause); !call.empty())
      section.add(ReportCode{"In a config or a call:", call});
    if (const JsonObject parameters = shown_parameters(*parity.cause); !parameters.empty())
      section.add(ReportCode{"Parameters (a: in A, b: in B):", indented_json(parameters)});
  } else {
    section.add(ReportText{parity.sentence});
  }
  ReportTable others{"What else explains 30 % or more.", {"cause", "explained"}, {}};
  for (const TriedCause& each : parity.alternatives)
    others.rows.push_back({{cause_sentence(each)}, {to_text(100 * each.explained, 4) + " %", CellTone::number}});
  if (!others.rows.empty()) section.add(std::move(others));
  for (const std::string& each : parity.undetermined) section.add(ReportText{each});
  return section;
}

ReportSection placeSection(const CaptureComparison& comparison, const Capture& a, const Capture& b) {
  const FirstDifference& first = *comparison.first;
  ReportSection section{"The first difference", {}};
  section.add(ReportText{"It is at " + place_text(first) + "."});
  const auto map = difference_map(a, b, comparison);
  if (!map) {
    section.add(ReportText{"Its tensor cannot be read any more: " + map.error().message});
    return section;
  }
  section.add(mapPicture(*map, first));
  section.add(rowPicture(*map, first));
  section.add(rowTable(*map, first));
  return section;
}

ReportSection commandsSection(const Parity& parity, const Capture& a, const Capture& b) {
  ReportSection section{"Commands", {}};
  const std::string one = shell_word(a.path), two = shell_word(b.path);
  std::string lines = fmt::format("vqscope parity {} {} --json\nvqscope {} {}", one, two, one, two);
  lines += fmt::format("\nvqscope check {}\nvqscope check {}", one, two);
  const auto& first = parity.comparison.first;
  if (first && (first->role == TensorRole::q_rot || first->role == TensorRole::k_rot))
    lines += fmt::format("\nvqscope rope {0} --layer {2}\nvqscope rope {1} --layer {2}", one, two, first->layer);
  section.add(
      ReportCode{"The same in text, the captures in the window, and each against the rules of captures:", lines});
  return section;
}

ReportSection layersSection(const Parity& parity) {
  ReportSection section{"Layers", {}};
  section.add(layersPicture(parity.comparison));
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
  if (parity.comparison.first) {
    document.sections.push_back(causeSection(parity));
    document.sections.push_back(placeSection(parity.comparison, a, b));
  }
  document.sections.push_back(layersSection(parity));
  document.sections.push_back(commandsSection(parity, a, b));
  document.made_by = "VQScope";
  return document;
}

}  // namespace vqscope
