// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/config/config_text.h"
#include "core/config/gguf/gguf_model.h"
#include "core/config/gguf/gguf_parts.h"
#include "core/config/rope/rope_reading.h"

#include <algorithm>
#include <iterator>

namespace vqscope {
namespace {

/// The kind by name; some architectures have ALiBi in their larger models.
PositionScheme kind_of(const GgufModel& model) {
  const bool bias = model.number("attention.max_alibi_bias", {0, 1024}).value_or(0) > 0;
  const bool large = model.name == "baichuan" && model.layers == 40;
  if (bias || large) return PositionScheme::alibi;
  if (model.architecture.known()) return model.name == "mpt" ? PositionScheme::learned : model.architecture.kind;
  const std::string prefix = model.key("rope.");
  const bool rope =
      std::ranges::any_of(model.head.pairs, [&](const GgufPair& pair) { return pair.key.starts_with(prefix); });
  return rope ? PositionScheme::rope : PositionScheme::unknown;
}

void report_unknown(const GgufModel& model, PositionScheme kind) {
  const std::string consequence =
      kind == PositionScheme::rope
          ? "the pair layout, layers without RoPE and windows, which no key says, are assumed: half-split pairs, RoPE "
            "on all layers, no windows"
          : "no key says which position encoding the model has";
  model.values.warning("general.architecture", fmt::format("general.architecture {} is not known to this program: {}",
                                                           shortened(model.name), consequence));
}

void report_without_rope(const ConfigReport& report, const GgufModel& model) {
  const auto& layers = report.schedule.layers;
  const auto without = std::ranges::count_if(layers, [](const ModelLayer& each) { return each.positions == "none"; });
  if (without > 0 && report.kind == PositionScheme::rope)
    model.values.note(
        "general.architecture",
        fmt::format("{} of {} layers attend without a position encoding (NoPE), as in llama.cpp's code for {}", without,
                    layers.size(), model.name));
}

void read_other(const GgufModel& model, ConfigReport& report) {
  if (report.kind == PositionScheme::learned)
    report.tables.push_back({model.key("context_length"), {}, model.trained, true});
  if (report.kind != PositionScheme::alibi) return;
  report.heads = model.heads.empty() ? 0 : model.heads.front();
  const double bias = model.number("attention.max_alibi_bias", {0, 1024}).value_or(0);
  if (bias > 0 && bias != 8)
    model.values.warning(model.key("attention.max_alibi_bias"),
                         fmt::format("{0} is {1}: llama.cpp has slopes of 2^(-{1}(h + 1)/n); the view shown here has 8 "
                                     "instead of {1}",
                                     model.key("attention.max_alibi_bias"), plain_text(bias)));
  ConfigView view{"ALiBi", "alibi", {}};
  if (report.heads > 0) view.values.set("num_heads", report.heads);
  view.values.set("bidirectional", model.name == "jina-bert-v2");
  report.views.push_back(std::move(view));
}

void collect_keys(const ConfigObject& values, std::string_view name, ConfigReport& report) {
  for (const auto& member : values.value().object()->members) {
    const bool rope = member.key.starts_with(std::string(name) + ".rope.");
    const KeyUse use = values.ledger().was_read(member) ? KeyUse::read : rope ? KeyUse::unknown : KeyUse::unrelated;
    report.keys.push_back(
        {shortened(member.key), {}, member.shown(), use, use == KeyUse::unknown ? "not known to this program" : ""});
  }
}

/// A file without a model, or without its beginning.
Result<void> check_head(const GgufHead& head, const ConfigObject& values) {
  const std::size_t kept = values.value().object()->members.size();
  if (kept > most_config_members)
    return too_large("the GGUF file has {} values beside arrays of strings, at most {} are read", kept,
                     most_config_members);
  if (values.has("general.architecture") && values.take("general.architecture")->text()) return {};
  const auto part = values.integer("split.no", {0, 65535});
  if (part && *part > 0)
    return invalid(
        "the file is part {} of a GGUF model in several files: open the first, whose head describes the model",
        *part + 1);
  return invalid("the GGUF file has no general.architecture among its {} values, so it is not a model",
                 head.pairs.size());
}

}  // namespace

Result<ConfigReport> examine_gguf(const ByteSource& source, const std::vector<std::string>& other_parts) {
  auto head = read_gguf_head(source);
  if (!head) return head.error();
  OtherTensors others = tensors_of_parts(other_parts);
  std::ranges::move(others.all, std::back_inserter(head->tensors));
  head->has_all_parts = !other_parts.empty() && others.problems.empty();
  const ConfigValue object = gguf_values(*head);
  ConfigLedger ledger;
  const ConfigObject values(object, "", ledger);
  if (auto checked = check_head(*head, values); !checked) return checked.error();
  const GgufModel model(source, *head, values);
  ConfigReport report;
  report.model_type = shortened(model.name);
  const std::string parts = other_parts.empty() ? "" : fmt::format(" in {} parts", other_parts.size() + 1);
  report.about = fmt::format("GGUF version {}{}, as llama.cpp reads it", head->version, parts);
  report.kind = kind_of(model);
  report.max_position_embeddings = model.trained;
  if (!model.architecture.known()) report_unknown(model, report.kind);
  if (report.kind == PositionScheme::rope) report.ropes = read_gguf_ropes(model);
  read_other(model, report);
  report_gguf_layers(model, report);
  if (report.kind == PositionScheme::rope && !report.layers.empty() &&
      std::ranges::none_of(report.layers, &LayerKind::rope) && !report.ropes.empty()) {
    report.kind = PositionScheme::none;
    report.ropes.clear();
    report.schedule.ropes.clear();
  }
  for (const auto& use : report.ropes)
    for (auto& view : rope_views(use)) report.views.push_back(std::move(view));
  report_without_rope(report, model);
  check_gguf_tensors(model);
  for (const auto& problem : others.problems) ledger.add(ConfigSeverity::warning, "split.count", {}, problem);
  collect_keys(values, model.name, report);
  report.findings = ledger.take_findings();
  report.summary = config_summary(report);
  return report;
}

}  // namespace vqscope
