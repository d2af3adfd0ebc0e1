// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/corpus/corpus.h"

#include "core/base/fingerprint.h"
#include "core/data/alphabet.h"
#include "core/data/facts.h"
#include "core/data/vault.h"
#include "core/experiment/corpus/compiled_guide_texts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace vqscope {
namespace {

constexpr Index generated_length = 700000;
constexpr Index denser_length = 120000;
constexpr std::uint64_t denser_seed = 77;     // added to that of the training
constexpr std::uint64_t unseen_seed = 90001;  // of the paired windows of the language too
constexpr Index test_fraction = 10;

struct Generated {
  std::string_view id;
  std::string_view name;
  ScoredText (*stream)(std::uint64_t seed, Index count, Index size);
  Index size;          ///< of the text itself
  Index densest_size;  ///< the first of those that double up to it
  double (*bits)(Index context);
  double (*answer_bits)(Index context);
  Index nearest_mention;
};

constexpr std::array generated{
    Generated{"vault", "a text of secrets that are asked for later", vault::stream, vault::record_length, 8,
              vault::bits_per_character, vault::answer_bits, vault::nearest_mention},
    Generated{"facts", "a text of facts that are asked for later", facts::stream, facts::all_kinds, 4,
              facts::bits_per_character, facts::answer_bits, 0}};

/// Of every size.
std::vector<ScoredText> denser_texts(const Generated& text, std::uint64_t seed) {
  std::vector<ScoredText> texts;
  for (Index size = text.densest_size; size <= text.size; size *= 2)
    texts.push_back(text.stream(seed + denser_seed, denser_length, size));
  return texts;
}

Corpus generated_corpus(const Generated& text) {
  return {.id = std::string(text.id),
          .name = std::string(text.name),
          .key = std::string(text.id),
          .training = [text](std::uint64_t seed) { return text.stream(seed, generated_length, text.size); },
          .test = [text](Index count) { return text.stream(unseen_seed, count, text.size); },
          .best_bits = text.bits,
          .best_answer_bits = text.answer_bits,
          .denser = [text](std::uint64_t seed) { return denser_texts(text, seed); },
          .nearest_mention = text.nearest_mention};
}

double entropy_of_bytes(std::string_view text) {
  std::array<double, byte_vocabulary> counts{};
  for (const char byte : text) ++counts[static_cast<unsigned char>(byte)];
  double bits = 0;
  for (const double count : counts)
    if (count > 0)
      bits += count / static_cast<double>(text.size()) * std::log2(static_cast<double>(text.size()) / count);
  return bits;
}

ScoredText part_of_text(std::string_view bytes) { return {.tokens = tokens_of_bytes(bytes), .answers = {}}; }

}  // namespace

std::vector<Choice> corpus_choices() {
  return {{"vault", "secrets, each asked for 65 to 159 bytes after its last mention; 256 tokens, as all texts"},
          {"facts", "words, and facts that are stated and asked for"},
          {"guide", "the guide of this program"},
          {"text", "the bytes of a file or folder of your own"}};
}

bool is_corpus(std::string_view data) {
  const auto choices = corpus_choices();
  return std::ranges::count(choices, data, &Choice::id) > 0;
}

Corpus built_in_corpus(std::string_view id) {
  for (const Generated& text : generated)
    if (text.id == id) return generated_corpus(text);
  std::string guide;
  for (const CompiledFile& file : compiled_guide_texts) guide += file.text;
  Corpus corpus = text_corpus("the guide of this program", std::move(guide));
  corpus.id = "guide";
  return corpus;
}

Corpus text_corpus(std::string name, std::string bytes) {
  Fingerprint fingerprint;
  fingerprint.add(bytes);
  const auto text = std::make_shared<const std::string>(std::move(bytes));
  const std::size_t unseen = text->size() / test_fraction, seen = text->size() - unseen;
  return {.id = "text",
          .name = std::move(name),
          .key = "text " + fingerprint.text(),
          .training = [text, seen](std::uint64_t) { return part_of_text(std::string_view(*text).substr(0, seen)); },
          .test =
              [text, seen, unseen](Index count) {
                const auto some = std::min(unseen, static_cast<std::size_t>(count));
                return part_of_text(std::string_view(*text).substr(seen, some));
              },
          .single_byte_bits = entropy_of_bytes(*text)};
}

ParameterSpec score_parameter(const char* group) {
  return make_parameter(
      "score", group, "Bytes that count in the loss of training.",
      {.default_value = std::string("curriculum"),
       .choices = {{"all", "all bytes"},
                   {"answers", "answers alone: the model learns nothing else"},
                   {"answers_first", "answers alone in the first half of training, then all bytes"},
                   {"curriculum", "all bytes; in every other batch answers alone, of texts that ask sooner"}},
       .relevant = {{"data", {"vault", "facts"}}}});
}

AnswerTraining answer_training(const Corpus& corpus, const std::string& score, Index steps, std::uint64_t seed) {
  if (!corpus.has_answers() || score == "all") return {};
  if (score == "curriculum") return {.denser = corpus.denser(seed)};
  return {.steps = score == "answers" ? steps : steps / 2};
}

}  // namespace vqscope
