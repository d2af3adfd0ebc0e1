// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/survey/survey_notes.h"

#include "core/base/sentence.h"
#include "core/method/shared/published.h"

#include <algorithm>
#include <cassert>

namespace vqscope {
namespace {

constexpr ScalingNote scalings[]{
    {"default", "RoPE", "Su et al. 2021, RoFormer, section 3.4", ""},
    {"linear",
     "Position interpolation (PI)",
     "Chen et al. 2023, Extending Context Window of Large Language Models via Positional Interpolation; kaiokendev "
     "2023, SuperHOT",
     "To factor times the training length after fine-tuning; hardly without (Chen et al. 2023).",
     {.trade_off = "No angle beyond those of training. Neighbours come closer together by factor, so the order of near "
                   "tokens blurs, and fine-tuning is needed.",
      .published =
          "Within 1000 steps of fine-tuning, LLaMA 7B and 13B extended to 32768 tokens, 33B to 16384 and 65B to 8192. "
          "Perplexity of 7B on PG-19: 7.20 at 2048 before, then 6.77 at 32768; without fine-tuning 16.10 at 8192. The "
          "bound on interpolated scores is at least about 600 times smaller than that on extrapolated ones. SuperHOT "
          "13B with halved positions has 5.05 at 4096, LLaMA 13B as trained 84.70.",
      .source = "Chen et al. 2023, abstract and tables 1 and 3; kaiokendev 2023, SuperHOT, ppl.json"}},
    {"ntk",
     "NTK-aware",
     "bloc97 2023, NTK-Aware Scaled RoPE (r/LocalLLaMA)",
     "Without fine-tuning to somewhat less than factor times the training length, then perplexity explodes (Peng et "
     "al. 2023, table 5).",
     {.trade_off = "Near tokens stay distinct. Some pairs leave the angles of training, so factor has to exceed the "
                   "ratio of lengths, and short texts get a little worse.",
      .published = "LLaMA-7B on 40 prompts of more than 12k tokens: average perplexity stays low to beyond 8k tokens "
                   "without fine-tuning. On Proof-pile with factor 8: 4.24 at 8192 tokens, above 10 at 16384.",
      .source = "bloc97 2023, post and figure; Peng et al. 2023, arXiv v3, table 5"}},
    {"dynamic_linear",
     "Dynamic linear",
     "emozilla 2023, Dynamically Scaled RoPE (r/LocalLLaMA)",
     "Degrades gradually instead of breaking at one length (emozilla 2023).",
     {.trade_off = "Short texts are read as trained. Frequencies change with every token beyond, so cached keys were "
                   "rotated by others.",
      .published = "Lower perplexity than NTK-aware scaling for shorter sequences, higher at the longest. LLaMA-7B on "
                   "Proof-pile without fine-tuning: 4.05 at 2048 tokens, 6.18 at 8192, above 10 at 16384.",
      .source = "emozilla 2023, post; Peng et al. 2023, arXiv v3, table 5"}},
    {"dynamic",
     "Dynamic NTK",
     "emozilla 2023, Dynamically Scaled RoPE (r/LocalLLaMA)",
     "Degrades gradually instead of breaking at one length, without fine-tuning (Peng et al. 2023, YaRN).",
     {.trade_off = "Short texts are read as trained, which a fixed factor does not do. Keys have to be cached before "
                   "rotation, or they keep the base of their time.",
      .published = "Made against the blow-up of perplexity that plain RoPE, fixed interpolation and fixed NTK-aware "
                   "scaling show. Peng et al. still measured one, for LLaMA-7B on Proof-pile without fine-tuning: 4.05 "
                   "at 2048 tokens, 5.97 at 4096, above 10 at 8192.",
      .source = "emozilla 2023, post; Peng et al. 2023, arXiv v3, table 5"}},
    {"ntk_by_parts",
     "NTK-by-parts",
     "Peng et al. 2023, YaRN, section 3.2; jquesnelle/yarn, first version",
     "To factor times the training length after fine-tuning, better than PI and NTK-aware scaling; without, only for "
     "factors up to 8 (Peng et al. 2023, table 5).",
     {.trade_off = "Each pair gets what it needs. The ends of the two ramps were found by experiment on LLaMA and may "
                   "not be optimal elsewhere.",
      .published = "LLaMA-7B with factor 16 after 400 steps of fine-tuning: perplexity on Proof-pile 3.62 at 8192 "
                   "tokens and 2.81 at 32768; PI has 4.64 and 3.57, NTK-aware scaling 3.73 and 8.49. Without "
                   "fine-tuning above 10 at 8192, where NTK-aware scaling has 5.22.",
      .source = "Peng et al. 2023, arXiv v3, table 5"}},
    {"yarn",
     "YaRN",
     "Peng et al. 2023, YaRN: Efficient Context Window Extension of Large Language Models",
     "To factor times the training length, also after fine-tuning on half of that; beyond it perplexity rises sharply "
     "(Peng et al. 2023, table 1).",
     {.trade_off = "By parts, with a temperature that sharpens attention over long contexts. A fixed factor changes "
                   "short texts too.",
      .published = "10 times fewer tokens and 2.5 times fewer training steps than earlier methods. Llama 2 7B on "
                   "Proof-pile, fine-tuned at 64k tokens: perplexity 2.42 at 65536 and above 10 at 131072 with factor "
                   "16, 2.45 and 2.37 with factor 32.",
      .source = "Peng et al. 2023, abstract; arXiv v3, table 1"}},
    {"longrope",
     "LongRoPE",
     "Ding et al. 2024, LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens",
     "To 2048k tokens after fine-tuning in two steps (Ding et al. 2024).",
     {.trade_off = "A divisor for each pair, searched for each model. The switch from the short to the long list "
                   "changes all keys, also those in the cache.",
      .published = "2048k tokens of context, with up to 1k steps of fine-tuning at lengths within 256k. Llama 2 7B on "
                   "Books3: perplexity 6.81 at 8k tokens, 6.17 at 256k and 7.08 at 2048k.",
      .source = "Ding et al. 2024, abstract and table 6"}},
    {"llama3",
     "Llama 3.1 scaling",
     "Grattafiori et al. 2024, The Llama 3 Herd of Models; Llama 3.1 model code",
     "To 16 times the original length with factor 8, after continued training on long texts (Llama 3.1 config.json).",
     {.trade_off = "By parts in the turns of a pair, without a temperature. Needs continued training on long texts.",
      .published = "128k tokens from 8192 with factor 8, after training on about 800B tokens of growing length.",
      .source = "Llama 3.1 config.json; Grattafiori et al. 2024, section 3.4.2"}},
    {"leaky",
     "Leaky ReRoPE",
     "Su 2023, Rectified Rotary Position Embeddings (kexue.fm 9708)",
     "Without fine-tuning to the length at which window + (length - window) / leaky_factor exceeds the training length "
     "(Su 2023).",
     {.trade_off = "Far keys keep their order, which ReRoPE gives up. leaky_factor has to be chosen for the longest "
                   "text, and prefill needs two score matrices.",
      .published = "Token accuracy at 4096 tokens of a model of 100M parameters trained at 512, window 128, with the "
                   "log-n factor: 49.10 % with leaky_factor 16 and 48.11 % with 8, against 48.87 % of ReRoPE.",
      .source = "Su 2023, Transformer Upgrade Path 12 (kexue.fm 9708)"}},
};

/// The first, second and last value of a series: "perplexity 20.05 at 512, 43.54 at 1012 and 373.17
/// at 12512 tokens …".
std::string sentence_of(const Published& table, std::string_view name) {
  const auto series = std::ranges::find(table.series, name, &Published::Series::name);
  assert(series != table.series.end() && series->x.size() > 2);
  const auto value = [&](std::size_t i) {
    return fmt::format("{} at {}", to_text(series->y[i]), plain_text(series->x[i]));
  };
  return fmt::format("Perplexity {}, {} and {} tokens, trained at {}.", value(0), value(1), value(series->x.size() - 1),
                     plain_text(table.trained_length));
}

}  // namespace

ScalingNote scaling_note(std::string_view rope_type) {
  const auto note = std::ranges::find(scalings, rope_type, &ScalingNote::rope_type);
  return note == std::end(scalings) ? ScalingNote{} : *note;
}

std::string published_result(const SurveyNote& note) {
  return note.curve.empty() ? std::string(note.published) : sentence_of(alibi_table_2(), note.curve);
}

std::string published_source(const SurveyNote& note) {
  return note.curve.empty() ? std::string(note.source) : alibi_table_2().source;
}

}  // namespace vqscope
