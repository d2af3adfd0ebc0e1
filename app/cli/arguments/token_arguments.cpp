// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/token_arguments.h"

#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/config/place/model_place.h"
#include "core/io/bytes/file_source.h"
#include "core/mask/batch/sample_array.h"
#include "core/session/subject/tokenizer.h"

#include <algorithm>
#include <filesystem>

namespace vqscope {
namespace {

const Setting* lastIds(const MethodArguments& arguments) {
  const auto found = std::find_if(arguments.settings.rbegin(), arguments.settings.rend(), isTokenIds);
  return found == arguments.settings.rend() ? nullptr : &*found;
}

/// The ids of one sequence.
Result<std::vector<Index>> idsOf(const MethodArguments& arguments, const Setting& setting) {
  if (setting.numbers) return *setting.numbers;
  const auto array = read_sample_array(setting.name, setting.value);
  if (!array) return array.error();
  const Index sample = arguments.imported.batch.value_or(0);
  if (array->samples() > 1 && sample >= array->samples())
    return invalid("--batch is {} but must be 0 to {}: input_ids have {} samples", sample, array->samples() - 1,
                   array->samples());
  const auto row = array->row(array->samples() > 1 ? sample : 0);
  return std::vector<Index>(row.begin(), row.end());
}

Result<TokenTexts> textsOf(const Tokenizer& tokenizer, const MethodArguments& arguments, const std::string& path) {
  const Setting* setting = lastIds(arguments);
  if (!setting) return invalid("{} is a tokenizer: its tokens need ids, --array input_ids=FILE", shown_path(path));
  const auto ids = idsOf(arguments, *setting);
  if (!ids) return ids.error();
  if (const Index* unknown = tokenizer.first_unknown(*ids))
    warnOfInput(fmt::format("input_ids have id {}, the vocabulary of {} has ids 0 to {}", *unknown, shown_path(path),
                            tokenizer.size() - 1));
  return tokenizer.texts(*ids);
}

Result<TokenTexts> textsOfFile(const std::string& path, const MethodArguments& arguments) {
  const auto text = read_text(path, most_tokenizer_bytes);
  if (!text) return within(shown_path(path), text.error());
  if (auto readable = check_token_file(path, *text); !readable) return readable.error();
  if (!looks_like_tokenizer(path, *text)) {
    auto texts = parse_token_texts(*text);
    if (texts && texts->empty()) return invalid("{} has no texts of tokens", shown_input(path));
    return texts ? texts : within(shown_path(path), texts.error());
  }
  const auto tokenizer = Tokenizer::read_file(path, *text);
  return tokenizer ? textsOf(*tokenizer, arguments, path) : tokenizer.error();
}

/// That a folder has no tokenizer, with the one that is not read.
std::string lackIn(const std::string& folder) {
  std::error_code failed;
  const bool pieces = std::filesystem::exists(std::filesystem::path(folder) / "tokenizer.model", failed);
  return std::string("no tokenizer.json, vocab.json or vocab.txt") +
         (pieces ? "; tokenizer.model is a SentencePiece model, which is not read" : "");
}

/// The tokenizer of a folder, or of the model that an id names; a path of a file stays.
Result<std::string> tokenFile(const std::string& given) {
  std::error_code failed;
  const bool isFolder = std::filesystem::is_directory(given, failed);
  if (isFolder)
    if (auto own = tokenizer_in(given); !own.empty()) return own;
  const auto place = find_model(given);
  if (place && !place->found) return given;
  const auto beside = place ? tokenizer_beside(place->file) : std::string();
  if (!beside.empty()) return beside;
  if (isFolder) return invalid("{}: the directory has {}", shown_path(given), lackIn(given));
  return place ? invalid("{}: {} has {}", shown_path(given), shown_path(place->folder), lackIn(place->folder))
               : place.error();
}

}  // namespace

bool isTokenIds(const Setting& setting) { return setting.array && setting.name == "input_ids"; }

std::string tokenizerOf(const MethodArguments& arguments) {
  const Setting* ids = lastIds(arguments);
  if (!ids && !arguments.batchFile) return {};
  std::string found;
  if (ids && !ids->numbers && names_array_file(ids->value)) found = tokenizer_beside(ids->value);
  if (found.empty() && arguments.batchFile) found = tokenizer_beside(*arguments.batchFile);
  if (found.empty() && arguments.mask && *arguments.mask != "-") found = tokenizer_beside(*arguments.mask);
  return found;
}

Result<TokenTexts> tokenTexts(const MethodArguments& arguments, const TokenTexts& otherwise) {
  if (arguments.tokens && arguments.tokens->starts_with('[')) return parse_token_texts(*arguments.tokens);
  if (arguments.tokens) {
    const auto file = *arguments.tokens == "-" ? Result<std::string>(*arguments.tokens) : tokenFile(*arguments.tokens);
    return file ? textsOfFile(*file, arguments) : file.error();
  }
  return arguments.tokenizer.empty() || !lastIds(arguments) ? Result<TokenTexts>(otherwise)
                                                            : textsOfFile(arguments.tokenizer, arguments);
}

}  // namespace vqscope
