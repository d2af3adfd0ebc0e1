// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/figure/panel_arguments.h"

#include "app/cli/arguments/export_request.h"
#include "core/base/sentence.h"
#include "core/catalogue/registry.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t mostPanels = static_cast<std::size_t>(most_grid_side) * most_grid_side;

/// METHOD, NAME=VALUE or an option of `export`.
Result<ExportArguments> parsePanel(const std::string& text) {
  const auto words = shellWords(text);
  if (!words) return words.error();
  const OptionAction<ExportArguments> readWord = [](ExportArguments& panel, const std::string& word) -> Result<void> {
    if (word.find('=') != std::string::npos) {
      auto setting = parseSetting("--set", word, false);
      if (!setting) return setting.error();
      panel.settings.push_back(std::move(*setting));
      return {};
    }
    if (!panel.method.empty())
      return invalid("one METHOD is expected, {} and {} were given", shortened(panel.method), shortened(word));
    panel.method = word;
    return {};
  };
  ExportArguments panel;
  if (auto read = readArguments(panel, *words, exportOptions(), readWord); !read) return read.error();
  return panel;
}

/// Options of the file are given once.
Result<void> checkPanel(const ExportArguments& panel) {
  FigureArguments look = panel;
  look.labels = {};
  auto option = givenFigureOption(look);
  const std::pair<const char*, bool> ofFiles[]{
      {"--out", !panel.outputs.empty()}, {"--keep", panel.keep.has_value()}, {"--flat", panel.flat},
      {"--float32", panel.float32},      {"--force", panel.force},           {"--help", panel.help}};
  for (const auto& [name, isGiven] : ofFiles)
    if (isGiven && !option) option = name;
  if (option) return invalid("{} is for the whole figure, not for a panel", *option);
  return {};
}

/// Whether the panel has a mask of its own, with which settings of the figure's mask have no
/// meaning.
bool hasOwnMask(const ExportArguments& panel) {
  return panel.mask || std::ranges::any_of(panel.settings, [](const Setting& each) { return each.name == "mask"; });
}

/// A panel of the figure's method starts from the figure's values.
void inherit(const ExportArguments& figure, ExportArguments& panel) {
  if (!panel.session) panel.session = figure.session;
  if (!panel.tokens) panel.tokens = figure.tokens;
  if (!panel.method.empty()) return;
  panel.method = figure.method;
  const bool ownMask = hasOwnMask(panel);
  const Method* method = find_method(figure.method);
  std::vector<Setting> settings;
  for (Setting setting : figure.settings) {
    setting.inherited = true;
    const bool isOwn = std::ranges::count(panel.settings, setting.name, &Setting::name) > 0;
    const bool isKnown = !ownMask || (method && find_spec(method->parameters, setting.name));
    if (!isOwn && isKnown) settings.push_back(std::move(setting));
  }
  panel.settings.insert(panel.settings.begin(), settings.begin(), settings.end());
  if (!panel.preset) panel.preset = figure.preset;
  if (ownMask) return;
  panel.mask = figure.mask;
  panel.imported = figure.imported;
  panel.batchFile = figure.batchFile;
}

Result<FigurePanel> panelOf(const std::string& text, const ExportArguments& figure) {
  auto panel = parsePanel(text);
  if (!panel) return panel.error();
  if (auto checked = checkPanel(*panel); !checked) return checked.error();
  if (auto named = nameExperiment(*panel); !named) return named.error();
  inherit(figure, *panel);
  const auto request = exportRequest(*panel);
  if (!request) return request.error();
  return panel_of(*request, {request->field, request->curves});
}

}  // namespace

Result<std::vector<std::string>> shellWords(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;
  bool inWord = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool isBlank = c == ' ' || c == '\t' || c == '\n';
    if (quote == 0 && isBlank) {
      inWord = false;
      continue;
    }
    if (!inWord) words.emplace_back();
    inWord = true;
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  if (quote != 0) return invalid("a quotation mark {} is not closed", std::string(1, quote));
  return words;
}

Result<void> addPanels(const ExportArguments& arguments, ExportRequest& request) {
  if (arguments.panels.size() >= mostPanels)
    return invalid("{} panels were given; a figure has at most {}", arguments.panels.size() + 1, mostPanels);
  for (std::size_t i = 0; i < arguments.panels.size(); ++i) {
    auto panel = panelOf(arguments.panels[i], arguments);
    if (!panel) return within("--panel " + std::to_string(i + 1), panel.error());
    request.panels.push_back(std::move(*panel));
  }
  const bool is_usual = request.panels.empty() && !arguments.width;
  if (arguments.height || arguments.figurePreset || is_usual) return {};
  FigureSpec tall = request.figure;
  tall.height = most_figure_side;
  const auto grid = figure_grid(tall, request.panels.size() + 1);
  if (!grid) return grid.error();
  request.figure.height = suggested_figure_height(request.figure.width, *grid);
  return {};
}

}  // namespace vqscope
