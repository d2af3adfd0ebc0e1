// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/catalogue/gallery.h"
#include "core/catalogue/registry.h"
#include "core/config/report/config_report.h"
#include "core/schedule/text/layer_texts.h"
#include "core/session/gallery_state.h"
#include "core/session/session.h"
#include "widgets/session/workbench.h"

#include <cmath>

namespace vqscope::test {

/// Random user actions on a workbench, determined by a seed: values (some invalid), methods, masks
/// as texts, comparisons, lint rules, views, axes, colours, pages, views of lists, models, the
/// gallery, undo and redo.
class RandomEdits {
 public:
  RandomEdits(Workbench& workbench, std::uint64_t seed) : m_workbench(workbench), m_random(seed) {}

  /// One step; true if the workbench accepted it.
  bool step() {
    const auto& infos = page_infos();
    const auto& info = infos[below(infos.size())];
    ShownPage next = m_workbench.page(info.id);
    switch (below(20)) {
      case 0: return m_workbench.showPage(info.id), true;
      case 1: return m_workbench.undoStack().undo(), true;
      case 2: return m_workbench.undoStack().redo(), true;
      case 3: return m_workbench.setView(info.id, view()), true;
      case 4: return axes(info);
      case 5: return compare(std::move(next));
      case 6: return look(std::move(next));
      case 7: return maskText();
      case 8:
      case 9: return method(info, std::move(next));
      case 10: return lint(info, std::move(next));
      case 11: return listedView(info);
      case 12: return subject();
      case 13: return model();
      case 14: return back(next);
      case 15: return gallery();
      default: return value(std::move(next));
    }
  }

 private:
  std::size_t below(std::size_t count) { return count == 0 ? 0 : m_random.bits() % count; }
  bool oneIn(std::size_t count) { return below(count) == 0; }

  /// Some edits go on, as those of a slider that is held: with the next ones of their page they are
  /// one step.
  bool edit(ShownPage next) {
    return m_workbench.edit(QStringLiteral("Random"), std::move(next), phaseOf(!oneIn(4))).has_value();
  }

  std::optional<ViewRange> view() {
    if (oneIn(4)) return std::nullopt;
    const double row = 1e4 * m_random.uniform() - 5e3;
    const double col = std::exp(20 * m_random.uniform());
    return ViewRange{row, row + 1 / (m_random.uniform() + 1e-9), col, oneIn(9) ? col : col * 1.5};
  }

  bool axes(const PageInfo& info) {
    if (info.curves.empty()) return false;
    m_workbench.setAxes(info.id, info.curves[below(info.curves.size())], {oneIn(2), oneIn(2)});
    return true;
  }

  bool compare(ShownPage next) {
    if (next.compare == CompareMode::none) next.other = next.values;
    next.compare = static_cast<CompareMode>(below(3));
    return edit(std::move(next));
  }

  bool look(ShownPage next) {
    next.keep_aspect = oneIn(2);
    next.aggregate = static_cast<Aggregate>(below(3));
    next.colour_map = oneIn(3) ? std::string() : colour_map_ids()[below(colour_map_ids().size())];
    return edit(std::move(next));
  }

  bool method(const PageInfo& info, ShownPage next) {
    if (info.choices().empty()) return false;
    next.method = info.choices()[below(info.choices().size())];
    return edit(std::move(next));
  }

  bool maskText() {
    static const std::vector<std::string> texts{
        "q_idx >= kv_idx",
        "(q_idx - kv_idx < w) & (kv_idx >= g[q_idx])",
        "(q_idx - kv_idx < g) | (kv_idx < sinks)",
        "w = 64\nq_idx - kv_idx < w",
        "def mask_mod(b, h, q_idx, kv_idx):\n    return (q_idx >= kv_idx) & (h < heads)\n",
        "document_id[q_idx] == document_id[kv_idx]",
        "q_idx +",
        "",
        "# \xc3\xa9 \xe2\x88\xa7 \xf0\x9f\x98\x80\nq_idx >= kv_idx",
        "sliding_window = 512\nq_idx - kv_idx < sliding_window"};
    static const std::vector<std::string> pages{"masks", "vq", "experiments"};
    const std::string& page = pages[below(pages.size())];
    if (!find_page_info(page)) return false;
    ShownPage next = m_workbench.page(page);
    for (auto* values : {&next.values, &next.other}) {
      if (!values->find("mask_text")) return false;
      if (values == &next.other && oneIn(2)) break;
      values->set("mask", std::string("custom"));
      values->set("mask_text", texts[below(texts.size())]);
    }
    return edit(std::move(next));
  }

  /// A method with some values, as a list of a room or a question requests it.
  bool listedView(const PageInfo& info) {
    if (info.choices().empty()) return false;
    const Method& method = *find_method(info.choices()[below(info.choices().size())]);
    ParameterValues values;
    for (std::size_t i = 0, count = below(3); i < count && !method.parameters.empty(); ++i) {
      const ParameterSpec& spec = method.parameters[below(method.parameters.size())];
      values.set(spec.name, valueOf(spec));
    }
    const auto side = oneIn(3) ? PageSide::b : PageSide::a;
    return m_workbench.choose(QStringLiteral("View"), info.id, method, values, side).has_value();
  }

  bool subject() {
    Subject next = m_workbench.session().subject;
    const ParameterSpec& spec = subject_parameters()[below(subject_parameters().size())].spec;
    next.values.set(spec.name, valueOf(spec));
    return m_workbench.editSubject(QStringLiteral("Subject"), std::move(next)).has_value();
  }

  bool model() {
    static const std::vector<std::string> texts{"3*full", "2*(5*sliding:64,full)", "chunked:256,full rope=0; rope",
                                                "4*sliding:16 two_sided", "2*state,none"};
    ConfigReport report;
    if (auto layers = parse_layers(texts[below(texts.size())])) report.schedule = std::move(*layers);
    return m_workbench.adoptModel({{}, report, {.name = "model"}}).has_value();
  }

  /// Replaces a page and the subject.
  bool gallery() {
    const auto entries = gallery_entries();
    const GalleryEntry& entry = entries[below(entries.size())];
    if (!entry.shown.method) return false;
    const auto state = gallery_state(entry);
    return m_workbench.replace(QStringLiteral("Gallery"), state.page, state.subject).has_value();
  }

  /// Takes back a value, or gives the page one of its own.
  bool back(const ShownPage& page) {
    const auto& values = page.values.map();
    if (values.empty()) return false;
    const std::string name = std::next(values.begin(), static_cast<std::ptrdiff_t>(below(values.size())))->first;
    return (oneIn(2) ? m_workbench.reset(page.id, name) : m_workbench.setLinked(page.id, name, oneIn(2))).has_value();
  }

  bool lint(const PageInfo& info, ShownPage next) {
    const auto specs = page_lint(info);
    if (specs.empty()) return false;
    const ParameterSpec& spec = specs[below(specs.size())];
    next.lint.set(spec.name, valueOf(spec));
    return edit(std::move(next));
  }

  bool value(ShownPage next) {
    const bool second = oneIn(3);
    ParameterValues& values = second ? next.other : next.values;
    const auto specs =
        oneIn(4) ? specs_of_page(*find_page_info(next.id), values, next.method) : shown_parameters(next.method, values);
    if (specs.empty()) return false;
    for (std::size_t i = 0, count = 1 + below(3); i < count; ++i) {
      const ParameterSpec& spec = specs[below(specs.size())];
      values.set(spec.name, valueOf(spec));
    }
    return edit(std::move(next));
  }

  double number(const ParameterSpec& spec) {
    switch (below(12)) {
      case 0: return spec.minimum;
      case 1: return spec.maximum;
      case 2: return spec.maximum + 1;
      case 3: return spec.minimum - 1;
      case 4: return spec.minimum + (spec.maximum - spec.minimum) * m_random.uniform();
      default: break;
    }
    // Most have a usual size.
    const double sized = std::exp2(std::floor(14 * m_random.uniform()));
    return std::clamp(oneIn(2) ? sized : sized * m_random.uniform(), spec.minimum, spec.maximum);
  }

  ParameterValue valueOf(const ParameterSpec& spec) {
    if (oneIn(8)) return spec.default_value;
    switch (spec.kind) {
      case ParameterKind::integer: return static_cast<Index>(std::min(number(spec), 9007199254740992.0));
      case ParameterKind::real: return number(spec);
      case ParameterKind::boolean: return oneIn(2);
      case ParameterKind::choice:
        return oneIn(20) || spec.choices.empty() ? std::string("nonsense")
                                                 : spec.choices[below(spec.choices.size())].id;
      case ParameterKind::choice_set: {
        std::vector<std::string> ids;
        for (const auto& choice : spec.choices)
          if (oneIn(2)) ids.push_back(choice.id);
        return ids;
      }
      case ParameterKind::integer_list: {
        std::vector<Index> items(below(6));
        for (auto& item : items) item = static_cast<Index>(number(spec));
        return items;
      }
      case ParameterKind::real_list: {
        std::vector<double> items(below(6));
        for (auto& item : items) item = number(spec);
        return items;
      }
      case ParameterKind::text: return std::string("q_idx >= kv_idx - n");
      case ParameterKind::tensor: return std::string(oneIn(2) ? "k\xff.npy" : "a b.safetensors:model.k[1,2]");
    }
    return spec.default_value;
  }

  Workbench& m_workbench;
  SeededRandom m_random;
};

}  // namespace vqscope::test
