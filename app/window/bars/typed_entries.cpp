// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/typed_entries.h"

#include "core/base/text.h"
#include "core/base/word_match.h"
#include "core/catalogue/registry.h"
#include "core/method/free_name.h"
#include "core/method/typed_setting.h"
#include "widgets/parts/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t mostMethods = 3;
constexpr std::size_t mostChoices = 6;

QString typedText(const char* sentence) { return QCoreApplication::translate("typedEntries", sentence); }

/// Numbers as forms show them.
QString shownValue(const ParameterValue& value) {
  if (const auto* whole = std::get_if<Index>(&value)) return text(grouped(*whole));
  if (const auto* real = std::get_if<double>(&value)) return text(plain_text(*real));
  return text(shortened(format_value(value)));
}

SearchEntry madeEntry(const QString& typed) {
  return {.kind = SearchKind::action, .id = QStringLiteral("typed:") + typed.trimmed()};
}

SearchEntry refusedEntry(const QString& typed, const std::string& sentence) {
  SearchEntry entry = madeEntry(typed);
  entry.title = text(sentence);
  entry.refused = true;
  return entry;
}

/// Why a value cannot be set; empty: it can.
std::string refusalOf(const ParameterSpec& spec, const Result<ParameterValue>& value, ParameterValues values) {
  if (!value) return value.error().message;
  values.set(spec.name, *value);
  const auto relevant = check_relevant(spec, values);
  return relevant ? std::string() : relevant.error().message;
}

/// "Set T to 4096  q_length", as far as the value is allowed.
SearchEntry settingEntry(const QString& typed, const ParameterSpec& spec, const Result<ParameterValue>& value,
                         const ParameterValues& values) {
  if (const auto refusal = refusalOf(spec, value, values); !refusal.empty()) return refusedEntry(typed, refusal);
  SearchEntry entry = madeEntry(typed);
  const std::string_view free = free_name_of(spec.name);
  const std::string name = free.empty() ? spec.name : std::string(free);
  entry.title = typedText("Set %1 to %2").arg(text(spec.label.empty() ? name : spec.label), shownValue(*value));
  if (!spec.label.empty()) entry.name = text(name);
  if (const auto* now = values.find(spec.name)) entry.detail = typedText("now %1").arg(shownValue(*now));
  return entry;
}

/// The choices of one other parameter with which this one is used; the one that is named after it, if
/// there is one.
std::vector<std::pair<std::string, std::string>> choicesToUse(const ParameterSpec& spec,
                                                              const std::vector<ParameterSpec>& specs,
                                                              ParameterValues values) {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const Relevance& relevance : spec.relevant) {
    const ParameterSpec* other = find_spec(specs, relevance.name);
    if (!other || other->kind != ParameterKind::choice) continue;
    const ParameterValues before = values;
    const bool isNamed = std::ranges::count(relevance.values, spec.name) > 0;
    for (const std::string& choice : relevance.values) {
      if (isNamed && choice != spec.name) continue;
      values.set(other->name, choice);
      if (choices.size() < mostChoices && is_relevant(spec, values)) choices.emplace_back(other->name, choice);
    }
    values = before;
  }
  return choices;
}

/// "Set factor to 8 with rope_type = yarn". `run` sets both.
std::vector<SearchEntry> choiceEntries(const QString& typed, const ParameterSpec& spec, const ParameterValue& value,
                                       const std::vector<std::pair<std::string, std::string>>& choices,
                                       const std::function<void(const ParameterValues&)>& run) {
  std::vector<SearchEntry> entries;
  for (const auto& [name, choice] : choices) {
    SearchEntry entry = madeEntry(typed);
    entry.id.clear();
    entry.title =
        typedText("Set %1 to %2 with %3 = %4").arg(text(spec.title()), shownValue(value), text(name), text(choice));
    ParameterValues both;
    both.set(name, choice);
    both.set(spec.name, value);
    entry.run = [run, both] { run(both); };
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// Of the page on top. `whole`: by the name of a parameter, not by the beginning of one.
std::vector<SearchEntry> settingsHere(const QString& typed, const TypedTargets& targets, bool& whole) {
  std::vector<SearchEntry> entries;
  for (const TypedSetting& setting : typed_settings(targets.specs, typed.toStdString())) {
    const ParameterSpec& spec = targets.specs[setting.spec];
    whole = setting.whole;
    SearchEntry entry = settingEntry(typed, spec, setting.value, targets.values);
    if (entry.refused && setting.value)
      std::ranges::move(
          choiceEntries(typed, spec, *setting.value, choicesToUse(spec, targets.specs, targets.values), targets.set),
          std::back_inserter(entries));
    ParameterValues values;
    if (setting.value) values.set(spec.name, *setting.value);
    if (!entry.refused) entry.run = [set = targets.set, values] { set(values); };
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// The first method of a page that has a parameter.
const Method* methodWith(const PageInfo& info, const std::string& parameter) {
  for (const auto& method : methods())
    if (page_of(method) == &info && (method.field() || method.curves()) && find_spec(method.parameters, parameter))
      return &method;
  return nullptr;
}

/// What sets a parameter on a page that is not on top: the entry of its value, or those that also
/// set what it needs; nothing: the page has none of that name.
std::vector<SearchEntry> settingsOn(const PageInfo& info, const QString& typed, const TypedTargets& targets) {
  const auto specs = specs_of_page(info);
  const ParameterValues& values = targets.valuesOf(info.id);
  for (const TypedSetting& setting : typed_settings(specs, typed.toStdString())) {
    const ParameterSpec& spec = specs[setting.spec];
    const Method* method = setting.whole ? methodWith(info, spec.name) : nullptr;
    if (!method) continue;
    const auto run = [open = targets.open, method](const ParameterValues& both) { open(method->id, both); };
    std::vector<SearchEntry> entries{settingEntry(typed, spec, setting.value, values)};
    if (entries.front().refused && setting.value) {
      auto choices = choiceEntries(typed, spec, *setting.value, choicesToUse(spec, specs, values), run);
      if (!choices.empty()) entries = std::move(choices);
    } else if (setting.value) {
      ParameterValues one;
      one.set(spec.name, *setting.value);
      entries.front().run = [run, one] { run(one); };
    }
    for (SearchEntry& entry : entries)
      entry.detail = typedText("%1 in %2").arg(text(method->title), text(room_of(info.id).title));
    return entries;
  }
  return {};
}

/// A parameter that the page on top does not have, by its whole name: of the first page where the
/// value is used as it is, then of the first that has the parameter, with what it needs.
void addSettingElsewhere(const QString& typed, const TypedTargets& targets, std::vector<SearchEntry>& entries) {
  std::vector<SearchEntry> first;
  for (const auto& info : page_infos()) {
    if (info.id == targets.page || info.id == "model") continue;
    auto found = settingsOn(info, typed, targets);
    const bool direct = found.size() == 1 && !found.front().refused && !found.front().id.isEmpty();
    if (direct) entries.push_back(std::move(found.front()));
    if (direct) break;
    if (first.empty()) first = std::move(found);
  }
  std::ranges::move(first, std::back_inserter(entries));
}

/// "Open RoPE phase at T = 2 097 152", of methods whose titles begin with the words, then of others
/// with words that begin with them.
void addMethodsAt(const QString& typed, const TypedTargets& targets, std::vector<SearchEntry>& entries) {
  const auto length = typed_length(typed.toStdString());
  if (!length) return;
  const WordText words(length->words);
  if (words.letters.size() < 2) return;  // T, S and L are parameters
  std::vector<const Method*> found;
  for (const bool begins : {true, false})
    for (const auto& method : methods()) {
      const bool isView = page_of(method) && (method.field() || method.curves());
      if (!isView || !find_spec(method.parameters, "q_length")) continue;
      if (WordText(method.title).letters.starts_with(words.letters) != begins) continue;
      if (match_words(words, WordText(method.title + " " + method.id)).at_word_starts) found.push_back(&method);
    }
  if (found.size() > mostMethods) found.resize(mostMethods);
  for (const Method* method : found) {
    const ParameterSpec& spec = *find_spec(method->parameters, "q_length");
    auto value = parse_value(spec, length->length);
    if (value)
      if (const auto checked = check_value(spec, *value); !checked) value = checked.error();
    if (!value) return entries.push_back(refusedEntry(typed, value.error().message));
    SearchEntry entry = madeEntry(typed);
    entry.title = typedText("Open %1 at T = %2").arg(text(method->title), shownValue(*value));
    entry.detail = text(room_of(page_of(*method)->id).title);
    entry.run = [open = targets.open, method, value = *value] {
      ParameterValues values;
      values.set("q_length", value);
      open(method->id, values);
    };
    entries.push_back(std::move(entry));
  }
}

}  // namespace

std::vector<SearchEntry> typedEntries(const QString& typed, const TypedTargets& targets) {
  bool whole = false;
  std::vector<SearchEntry> begun = settingsHere(typed, targets, whole), entries;
  if (whole)
    std::swap(entries, begun);
  else
    addSettingElsewhere(typed, targets, entries);
  addMethodsAt(typed, targets, entries);
  std::ranges::move(begun, std::back_inserter(entries));
  return entries;
}

}  // namespace vqscope
