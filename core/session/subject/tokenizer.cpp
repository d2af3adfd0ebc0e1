// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: bytes_to_unicode of GPT-2's encoder.py; decoders of Hugging Face tokenizers: ByteLevel, Metaspace,
// ByteFallback.
#include "core/session/subject/tokenizer.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_reader.h"
#include "core/io/kind/file_kind.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace vqscope {

/// How the texts of a vocabulary are written.
struct TokenCode {
  bool byte_level = false;
  bool metaspace = false;
  bool byte_fallback = false;
};

namespace {

constexpr std::string_view lines_name = "vocab.txt", ids_name = "vocab.json";
constexpr std::string_view tokenizer_names[]{"tokenizer.json", ids_name, lines_name};
constexpr std::string_view metaspace = "\u2581";

/// Where the string ends that begins at `at`, behind its closing quote.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at)
    if (json[at] == '\\') ++at;
  return std::min(at + 1, json.size());
}

/// Where the array or object ends that begins at `at`.
std::size_t end_of_value(std::string_view json, std::size_t at) {
  std::size_t depth = 0;
  while (at < json.size()) {
    const char each = json[at];
    if (each == '"') {
      at = end_of_string(json, at);
      continue;
    }
    if (each == '[' || each == '{') ++depth;
    if (each == ']' || each == '}') --depth;
    ++at;
    if (depth == 0) break;
  }
  return at;
}

/// The text without the merges of a BPE model: they are most of the file, and decoding does not
/// need them.
std::string without_merges(std::string_view json) {
  constexpr std::string_view key = "\"merges\"";
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] != '"') {
      ++at;
      continue;
    }
    const std::size_t end = end_of_string(json, at);
    std::size_t value = end;
    while (value < json.size() && (json[value] == ' ' || json[value] == '\n' || json[value] == ':')) ++value;
    const bool is_key = value > end && json.substr(at, end - at) == key && json.substr(end, value - end).find(':') < 99;
    if (is_key && value < json.size() && json[value] == '[')
      return std::string(json.substr(0, value)) + "[]" + std::string(json.substr(end_of_value(json, value)));
    at = end;
  }
  return std::string(json);
}

/// Whether an object has a type, or one in its lists has it.
bool has_type(const ConfigValue* object, std::string_view type) {
  if (!object || !object->object()) return false;
  const auto* own = object->find("type");
  if (own && own->text() && *own->text() == type) return true;
  for (const auto& member : object->object()->members)
    if (member.list())
      for (const auto& item : *member.list())
        if (has_type(&item, type)) return true;
  return false;
}

/// Whether an object, or one in its lists, replaces "▁".
bool replaces_metaspace(const ConfigValue* object) {
  if (!object || !object->object()) return false;
  const auto* pattern = object->find("pattern");
  const auto* given = pattern ? pattern->find("String") : nullptr;
  if (has_type(object, "Replace") && given && given->text() && *given->text() == metaspace) return true;
  for (const auto& member : object->object()->members)
    if (member.list())
      for (const auto& item : *member.list())
        if (replaces_metaspace(&item)) return true;
  return false;
}

TokenCode code_of(const ConfigValue& root, const ConfigValue& model) {
  const auto *decoder = root.find("decoder"), *pieces = root.find("pre_tokenizer");
  const auto* fallback = model.find("byte_fallback");
  TokenCode code;
  code.byte_level = has_type(decoder, "ByteLevel") || has_type(pieces, "ByteLevel");
  code.metaspace = has_type(decoder, "Metaspace") || has_type(pieces, "Metaspace") || replaces_metaspace(decoder);
  code.byte_fallback = has_type(decoder, "ByteFallback") || (fallback && fallback->boolean() && *fallback->boolean());
  return code;
}

/// The byte that each character of the byte-level code stands for, from U+0000 to U+0143.
const std::array<int, 324>& bytes_of_characters() {
  static const auto table = [] {
    std::array<int, 324> bytes{};
    bytes.fill(-1);
    std::size_t next = 256;
    for (int byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
      bytes[printable ? static_cast<std::size_t>(byte) : next++] = byte;
    }
    return bytes;
  }();
  return table;
}

std::string from_byte_level(std::string_view token) {
  std::string bytes;
  for (std::size_t at = 0; at < token.size();) {
    const std::size_t length = std::max<std::size_t>(1, utf8_sequence(token.substr(at)));
    const std::string_view character = token.substr(at, length);
    const char32_t code = utf8_code(character);
    const int byte = code < bytes_of_characters().size() ? bytes_of_characters()[code] : -1;
    byte < 0 ? bytes += character : bytes += static_cast<char>(byte);
    at += length;
  }
  return bytes;
}

std::optional<char> fallback_byte(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  int value = 0;
  for (const char digit : token.substr(3, 2)) {
    const bool plain = digit >= '0' && digit <= '9', letter = digit >= 'A' && digit <= 'F';
    if (!plain && !letter) return std::nullopt;
    value = value * 16 + (plain ? digit - '0' : digit - 'A' + 10);
  }
  return static_cast<char>(value);
}

std::string decoded(const std::string& token, const TokenCode& code) {
  if (code.byte_level) return from_byte_level(token);
  if (code.byte_fallback)
    if (const auto byte = fallback_byte(token)) return {*byte};
  if (!code.metaspace) return token;
  std::string text = token;
  for (auto at = text.find(metaspace); at != std::string::npos; at = text.find(metaspace, at + 1))
    text.replace(at, metaspace.size(), " ");
  return text;
}

/// Bytes that begin no character of UTF-8 as "<0xE2>".
std::string readable(const std::string& bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = utf8_sequence(std::string_view(bytes).substr(at));
    if (length == 0)
      text += byte_sign(static_cast<unsigned char>(bytes[at]));
    else
      text += bytes.substr(at, length);
    at += std::max<std::size_t>(1, length);
  }
  return text;
}

Error wrong_id(const ConfigValue& value, std::string_view text) {
  return invalid("{}the id of token {} must be a whole number from 0 to {}", value.place.text(), shortened(text),
                 most_vocabulary - 1);
}

}  // namespace

bool Tokenizer::add(std::optional<Index> id, std::string text) {
  if (!id || *id < 0 || *id >= most_vocabulary) return false;
  const auto at = static_cast<std::size_t>(*id);
  if (at >= m_texts.size()) {
    m_texts.resize(at + 1);
    m_known.resize(at + 1);
  }
  m_texts[at] = std::move(text);
  m_known[at] = true;
  return true;
}

Result<void> Tokenizer::add_ids(const ConfigValue& object, const TokenCode& code) {
  for (const auto& member : object.object()->members)
    if (!add(member.integer(), decoded(member.key, code))) return wrong_id(member, member.key);
  return {};
}

Result<Tokenizer> Tokenizer::read(std::string_view json) {
  const auto root = read_json(without_merges(json), {.most_bytes = most_tokenizer_bytes});
  if (!root) return root.error();
  const auto* model = root->find("model");
  const auto* vocabulary = model ? model->find("vocab") : nullptr;
  if (!vocabulary || (!vocabulary->object() && !vocabulary->list()))
    return invalid("it has no model.vocab, so it is no tokenizer.json");
  const TokenCode code = code_of(*root, *model);
  Tokenizer made;
  if (vocabulary->object())
    if (auto added = made.add_ids(*vocabulary, code); !added) return added.error();
  if (vocabulary->list())
    for (Index id = 0; const auto& item : *vocabulary->list()) {
      const auto* text = item.list() && !item.list()->empty() ? item.list()->front().text() : nullptr;
      if (!text) return invalid("{}item {} of model.vocab must be a text and a score", item.place.text(), id);
      if (!made.add(id++, decoded(*text, code))) return wrong_id(item, *text);
    }
  if (const auto* further = root->find("added_tokens"); further && further->list())
    for (const auto& item : *further->list()) {
      const auto *id = item.find("id"), *content = item.find("content");
      if (!id || !content || !content->text()) continue;
      if (!made.add(id->integer(), *content->text())) return wrong_id(*id, *content->text());
    }
  return made;
}

/// The vocabulary of GPT-2 and its kin: {"the": 1}. Its first pieces show how they are written.
Result<Tokenizer> Tokenizer::read_ids(std::string_view json) {
  const auto root = read_json(json, {.most_bytes = most_tokenizer_bytes});
  if (!root) return root.error();
  if (!root->object()) return invalid("it must be an object of tokens and their ids");
  const auto has_start = [&](std::string_view start) {
    return std::ranges::any_of(root->object()->members,
                               [&](const ConfigValue& each) { return each.key.starts_with(start); });
  };
  Tokenizer made;
  const TokenCode code{.byte_level = has_start("\u0120"), .metaspace = has_start(metaspace)};
  if (auto added = made.add_ids(*root, code); !added) return added.error();
  return made;
}

/// The vocabulary of BERT: the token of each id on a line.
Result<Tokenizer> Tokenizer::read_lines(std::string_view text) {
  Tokenizer made;
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!made.add(made.size(), std::string(line)))
      return too_large("it has more than {} lines, of a token each", most_vocabulary);
  }
  if (text.empty() || text.ends_with('\n')) made.m_known.back() = false;
  return made;
}

/// What a slow tokenizer keeps beside its vocabulary; a file that cannot be read has none.
void Tokenizer::add_beside(const std::string& file) {
  const auto beside = [&](std::string_view name) {
    const auto text = read_text((std::filesystem::path(file).parent_path() / name).string(), most_json_bytes);
    auto json = text ? read_json(*text) : Result<ConfigValue>(text.error());
    return json && json->object() ? std::move(*json) : ConfigValue();
  };
  const ConfigValue plain = beside("added_tokens.json"), config = beside("tokenizer_config.json");
  if (plain.object())
    for (const auto& member : plain.object()->members) add(member.integer(), member.key);
  const auto* listed = config.find("added_tokens_decoder");
  if (!listed || !listed->object()) return;
  for (const auto& member : listed->object()->members)
    if (const auto* content = member.find("content"); content && content->text())
      add(parse_index(member.key), *content->text());
}

Result<Tokenizer> Tokenizer::read_file(const std::string& file, std::string_view text) {
  const std::string_view name = file_name(file);
  if (auto readable = check_token_file(file, text); !readable) return readable.error();
  auto tokenizer = name == lines_name ? read_lines(text) : name == ids_name ? read_ids(text) : read(text);
  if (!tokenizer) return within(shown_path(file), tokenizer.error());
  if (name == lines_name || name == ids_name) tokenizer->add_beside(file);
  return tokenizer;
}

Result<Tokenizer> Tokenizer::open(const std::string& file) {
  const auto text = read_text(file, most_tokenizer_bytes);
  return text ? read_file(file, *text) : within(shown_path(file), text.error());
}

bool Tokenizer::has(Index id) const { return id >= 0 && id < size() && m_known[static_cast<std::size_t>(id)]; }

std::string Tokenizer::text(Index id) const {
  return has(id) ? readable(m_texts[static_cast<std::size_t>(id)]) : fmt::format("[{}]", id);
}

Result<TokenTexts> Tokenizer::texts(std::span<const Index> ids) const {
  if (ids.size() > most_token_texts)
    return too_large("there are {} token ids, at most {} are shown as texts", ids.size(), most_token_texts);
  TokenTexts texts;
  for (const Index id : ids) texts.push_back(text(id));
  if (auto checked = check_token_texts(texts); !checked) return checked.error();
  return texts;
}

const Index* Tokenizer::first_unknown(std::span<const Index> ids) const {
  const auto found = std::ranges::find_if(ids, [&](Index id) { return !has(id); });
  return found == ids.end() ? nullptr : &*found;
}

Result<void> check_token_file(const std::string& file, std::string_view text) {
  const auto known = file_kind(MemorySource(text), file);
  constexpr FileKind texts[]{FileKind::text, FileKind::json, FileKind::csv};
  if (known && std::ranges::count(texts, known->kind) > 0) return {};
  return in_file(file, known ? unexpected_kind(*known,
                                               "texts of tokens, a tokenizer.json, a vocab.json or a "
                                               "vocab.txt; a SentencePiece model is not read")
                             : known.error());
}

bool looks_like_tokenizer(const std::string& file, std::string_view text) {
  const std::string_view name = file_name(file);
  return name == lines_name || name == ids_name || trimmed(text.substr(0, 4096)).starts_with('{');
}

std::string tokenizer_in(const std::string& folder) {
  for (const auto name : tokenizer_names) {
    const auto file = (std::filesystem::path(folder) / name).string();
    std::error_code failed;
    if (std::filesystem::is_regular_file(file, failed)) return file;
  }
  return {};
}

std::string tokenizer_beside(const std::string& file) {
  return tokenizer_in(std::filesystem::path(file).parent_path().string());
}

}  // namespace vqscope
