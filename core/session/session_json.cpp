// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_json.h"

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/bytes/whole_file.h"
#include "core/io/embed/embedded_text.h"
#include "core/io/json/json_reader.h"
#include "core/io/kind/file_kind.h"
#include "core/method/value_json.h"
#include "core/session/file/earlier_session.h"
#include "core/session/file/figure_json.h"
#include "core/session/file/page_json.h"
#include "core/session/file/pins_json.h"
#include "core/session/subject/subject_tensors.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr int format_version = 3;
constexpr std::size_t most_indented = 4096;
constexpr std::size_t most_bytes = 512 << 20;        // more than the longest lists of a page need
constexpr std::size_t most_figure_bytes = 64 << 20;  // of a file that may hold a session among others
constexpr std::size_t most_values = 1 << 20;         // not counting the numbers of lists
constexpr std::size_t longest_model_name = 120;
constexpr double first_with_subject = 2;  // format
constexpr double first_with_norm_of_paper = 3;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::vector<std::string> page_ids() {
  std::vector<std::string> ids;
  for (const auto& info : page_infos()) ids.push_back(info.id);
  return ids;
}

std::string unknown_page(const std::string& id) {
  return fmt::format("unknown page {}{}", shortened(id), did_you_mean(id, page_ids()));
}

/// The string under a name, empty if there is none.
std::string text_at(const ConfigValue& object, std::string_view name) {
  const ConfigValue* json = object.find(name);
  return json && json->text() ? *json->text() : std::string();
}

/// Reads the pages in the file, each once, that this program has.
void read_pages(const ConfigValue& root, double version, OpenedSession& opened) {
  const PageFormat format{version < first_with_subject, opened.session.subject};
  const ConfigValue* json = root.find("workspaces");
  if (!json) return;
  // A list of only numbers holds no pages either, and does not need a note for each.
  if (!json->list()) return opened.notes.push_back(wrong_json("workspaces", *json, "a list of objects").message);
  std::vector<std::string> seen;
  for (const auto& item : *json->list()) {
    const std::string id = text_at(item, "id");
    auto* state = find_page(opened.session, id);
    if (!item.object())
      opened.notes.push_back(wrong_json("a page", item, "an object").message + "; it was left out");
    else if (!state)
      opened.notes.push_back(unknown_page(id) + "; it was left out");
    else if (std::ranges::count(seen, id) > 0)
      opened.notes.push_back(fmt::format("page {} appears twice; the first is used", id));
    else
      *state = read_page(item, *find_page_info(id), format, opened.notes);
    seen.push_back(id);
  }
}

void read_current(const ConfigValue& root, OpenedSession& opened) {
  if (!root.find("current")) return;
  const std::string id = text_at(root, "current");
  if (find_page(opened.session, id))
    opened.session.current = id;
  else
    opened.notes.push_back(fmt::format("{}; {} is shown", unknown_page(id), opened.session.current));
}

void read_tokens(const ConfigValue& subject, OpenedSession& opened) {
  const ConfigValue* json = subject.find("tokens");
  if (!json) return;
  TokenTexts texts;
  if (json->list())
    for (const ConfigValue& item : *json->list())
      if (item.text()) texts.push_back(*item.text());
  if (!json->list() || texts.size() != json->list()->size())
    return opened.notes.push_back(wrong_json("subject.tokens", *json, "a list of texts").message);
  if (auto checked = check_token_texts(texts); !checked)
    return opened.notes.push_back(fmt::format("subject: {}; they were left out", checked.error().message));
  opened.session.subject.tokens = std::move(texts);
}

/// What identified the files of tensors. Anything else there is ignored: the files are recorded anew.
void read_records(const ConfigValue& subject, OpenedSession& opened) {
  const ConfigValue* json = subject.find("tensors");
  for (const auto& name : tensor_names()) {
    const ConfigValue* record = json ? json->find(name) : nullptr;
    const ConfigValue* bytes = record ? record->find("bytes") : nullptr;
    if (!bytes || !bytes->number() || !(std::abs(*bytes->number()) < 0x1p53)) continue;
    opened.session.subject.tensors[name] = {static_cast<Index>(*bytes->number()), text_at(*record, "checksum")};
  }
  check_records(opened.session.subject, opened.notes);
}

/// Values of the sequence and the model, and the model's config.
void read_subject(const ConfigValue& root, OpenedSession& opened) {
  const ConfigValue* json = root.find("subject");
  if (!json) return;
  if (!json->object()) return opened.notes.push_back(wrong_json("subject", *json, "an object").message);
  Subject& subject = opened.session.subject;
  subject.model = shortened(text_at(*json, "model"), longest_model_name);
  subject.config = text_at(*json, "config");
  if (json->find("model_file")) subject.model_file = text_at(*json, "model_file");
  if (subject.config.size() > most_config_bytes) {
    opened.notes.push_back(fmt::format("subject: the config has {} bytes but must be at most {}; it was left out",
                                       subject.config.size(), most_config_bytes));
    subject.config.clear();
  }
  read_tokens(*json, opened);
  const ConfigValue* values = json->find("values");
  if (!values || !values->object()) return;
  for (const auto& member : values->object()->members) {
    const auto* known = find_subject_parameter(member.key);
    if (!known) {
      opened.notes.push_back(fmt::format("subject: unknown parameter {}; it was left out", shortened(member.key)));
      continue;
    }
    auto value = read_value(known->spec, member);
    if (value)
      subject.values.set(member.key, std::move(*value));
    else
      opened.notes.push_back(fmt::format("subject: {}; it was left out", value.error().message));
  }
  read_records(*json, opened);
}

JsonObject subject_json(const Subject& subject) {
  JsonObject object{{"model", subject.model}, {"config", subject.config}};
  object.emplace("values", json_of(subject.values));
  if (!subject.model_file.empty()) object.emplace("model_file", subject.model_file);
  if (!subject.tokens.empty()) object.emplace("tokens", subject.tokens);
  JsonObject tensors;
  for (const auto& [name, record] : subject.tensors)
    tensors[name] = JsonObject{{"bytes", record.bytes}, {"checksum", record.checksum}};
  if (!tensors.empty()) object.emplace("tensors", std::move(tensors));
  return object;
}

Result<double> read_version(const ConfigValue& root, Notes& notes) {
  const ConfigValue* json = root.find("vqscope");
  if (!json) return invalid("not a session: the name vqscope is missing");
  const auto version = json->number();
  if (!version || *version < 1) return wrong_json("vqscope", *json, "the version of its format, 1 to 3");
  if (*version > format_version)
    notes.push_back(
        fmt::format("it was written by a newer program, in format {}; unknown content was ignored", to_text(*version)));
  return *version;
}

void note_unknown(const ConfigValue& root, Notes& notes) {
  static const std::vector<std::string> known{"vqscope",  "current", "subject", "workspaces",
                                              "document", "figures", "figure",  "pins"};
  for (const auto& member : root.object()->members)
    if (std::ranges::count(known, member.key) == 0)
      notes.push_back(
          fmt::format("unknown name {}{}; it was left out", shortened(member.key), did_you_mean(member.key, known)));
}

/// The length of the longest list among all values of the session.
std::size_t longest_list(const Session& session) {
  std::size_t longest = 0;
  const auto look = [&](const ParameterValues& values) {
    for (const auto& [name, value] : values.map())
      if (const auto* items = std::get_if<std::vector<Index>>(&value)) longest = std::max(longest, items->size());
  };
  look(session.subject.values);
  for (const auto& page : session.pages)
    for (const auto* values : {&page.own, &page.other, &page.lint}) look(*values);
  for (const PinnedView& pin : session.pins) {
    look(pin.values);
    if (pin.minus) look(*pin.minus);
  }
  return longest;
}

}  // namespace

JsonObject session_json(const Session& session) {
  JsonArray pages;
  for (const auto& state : session.pages) pages.emplace_back(page_json(state, session.subject));
  JsonObject object{{"vqscope", format_version}, {"current", session.current}};
  object.emplace("subject", subject_json(session.subject));
  if (!session.figures.empty()) object.emplace("figures", figures_json(session.figures));
  if (session.figure) object.emplace("figure", figure_json(*session.figure));
  if (!session.pins.empty()) object.emplace("pins", pins_json(session.pins));
  object.emplace("workspaces", std::move(pages));  // an initialiser would be copied, with all the lists in it
  return object;
}

std::string session_text(const Session& session) {
  // Indented JSON has a line for each item of a list: readable, but not for a million items.
  return longest_list(session) > most_indented ? compact_json(session_json(session))
                                               : indented_json(session_json(session));
}

Result<ConfigValue> parse_session_json(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  auto json = read_json(text, {.most_bytes = most_bytes, .most_values = most_values, .packs_numbers = true});
  if (json && !json->object()) return invalid("not a session: found {}, expected an object", json->shown());
  return json;
}

Result<OpenedSession> session_in(const ConfigValue& given) {
  OpenedSession opened{default_session(), {}};
  const auto version = read_version(given, opened.notes);
  if (!version) return version.error();
  ConfigValue updated;
  if (*version < first_with_norm_of_paper) update_session(updated = given);
  const ConfigValue& json = *version < first_with_norm_of_paper ? updated : given;
  note_unknown(json, opened.notes);
  read_subject(json, opened);
  read_pages(json, *version, opened);
  read_current(json, opened);
  read_figures(json, opened.session.figures, opened.notes);
  opened.session.figure = read_figure(json, opened.notes);
  read_pins(json, opened.session.pins, opened.notes);
  return opened;
}

Result<OpenedSession> parse_session(std::string_view text) {
  const auto json = parse_session_json(text);
  if (!json) return json.error();
  return session_in(*json);
}

Result<ConfigValue> read_session_json(const std::string& path) {
  const auto text = read_text(path, most_bytes);
  if (!text && text.error().code == Errc::too_large)
    return within(shown_path(path), {Errc::too_large, "too large for a session, the limit is 512 MiB"});
  if (!text) return within(shown_path(path), text.error());
  const auto known = file_kind(MemorySource(*text), path);
  const bool may_hold = known && known->kind != FileKind::json;
  const auto embedded = may_hold ? find_embedded_text(*text, most_bytes) : std::optional<std::string>();
  if (!embedded) return in_file(path, embedded.error());
  if (may_hold && known->kind != FileKind::text && !*embedded)
    return in_file(path, unexpected_kind(*known, "a session (.vqscope)"));
  auto json = parse_session_json(*embedded ? **embedded : *text);
  if (!json) return within(shown_path(path), json.error());
  return json;
}

bool has_embedded_session(const std::string& path) {
  const auto file = open_file(path);
  if (!file) return false;
  const auto known = file_kind(**file, path);
  const bool is_report = known && known->kind == FileKind::text && file_suffix(path) == "md";
  if (!known || (known->kind != FileKind::png && known->kind != FileKind::unread && !is_report)) return false;
  const auto bytes = read_text(path, most_figure_bytes);
  const auto embedded = bytes ? find_embedded_text(*bytes, most_bytes) : std::optional<std::string>();
  return embedded && *embedded;
}

Result<OpenedSession> read_session(const std::string& path) {
  const auto json = read_session_json(path);
  if (!json) return json.error();
  auto opened = session_in(*json);
  if (!opened) return within(shown_path(path), opened.error());
  return opened;
}

Result<void> write_session(const Session& session, const std::string& path) {
  return write_whole_file(path, session_text(session));
}

}  // namespace vqscope
