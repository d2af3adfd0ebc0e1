// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/survey/survey_notes.h"

#include "core/base/sentence.h"
#include "core/method/shared/published.h"

#include <algorithm>
#include <cassert>

namespace vqscope {
namespace {

constexpr SurveyNote notes[]{
    {.id = "sinusoidal",
     .trade_off =
         "No parameters, and a row for every position. It is added once to the embeddings, so each layer has to "
         "find distance in a mixture with content.",
     .curve = "sinusoidal (Press et al.)"},
    {.id = "learned_absolute",
     .trade_off =
         "Learns any pattern within the training length. Costs max_position_embeddings · d_model parameters, and "
         "there is no row beyond.",
     .published = "Translation as good as with sinusoids: perplexity 4.92 for both, BLEU 25.7 against 25.8.",
     .source = "Vaswani et al. 2017, Attention Is All You Need, table 3 (E)"},
    {.id = "rope_phase",
     .trade_off =
         "No parameters and nothing to add to scores, so any attention kernel works. It multiplies and mixes the "
         "two numbers of a pair, where a sinusoid is added to each. Slow pairs meet new angles beyond the "
         "training length.",
     .curve = "rotary (Press et al.)"},
    {.id = "rope_with_bias",
     .trade_off =
         "Two learned vectors per head. The bias of keys acts only because of the rotation: without it, softmax "
         "cancels it."},
    {.id = "xpos_score",
     .trade_off =
         "RoPE whose pairs also decay with distance, for steadier scores. The factors of queries and keys leave "
         "the range of float16 far from the centre, and bidirectional models cannot use it.",
     .published = "Rates RoPE and T5 as not extrapolating, ALiBi as extrapolating, and xPos with blockwise attention "
                  "above all.",
     .source = "Sun et al. 2023, A Length-Extrapolatable Transformer, table 1"},
    {.id = "rerope_score",
     .trade_off = "No distance beyond those of training, at any length. Two score matrices in prefill make inference "
                  "slower.",
     .published = "Without fine-tuning ahead of NTK-aware scaling, at every length tried.",
     .source = "Su 2023, Transformer Upgrade Path 12 (kexue.fm 9708)"},
    {.id = "beta_ary",
     .trade_off = "RoPE read as a number system: low digits tell neighbours apart and must keep their resolution, high "
                  "digits must not exceed the values seen in training."},
    {.id = "rope_2d_score",
     .trade_off = "Half of the pairs for each axis: no parameters and any image size. Diagonals have no pair of their "
                  "own."},
    {.id = "linear",
     .trade_off = "No angle beyond those of training. Neighbours come closer together by factor, so the order of near "
                  "tokens blurs, and fine-tuning is needed.",
     .published =
         "LLaMA 7B to 65B extended to 32768 tokens within 1000 steps of fine-tuning. The bound on interpolated "
         "scores is at least about 600 times smaller than that on extrapolated ones.",
     .source = "Chen et al. 2023, abstract"},
    {.id = "ntk",
     .trade_off =
         "Near tokens stay distinct. Some pairs leave the angles of training, so factor has to exceed the ratio "
         "of lengths, and short texts get a little worse.",
     .published = "LLaMA-7B on 40 prompts of more than 12k tokens: average perplexity stays low to beyond 8k tokens "
                  "without fine-tuning.",
     .source = "bloc97 2023, post and figure"},
    {.id = "dynamic_linear",
     .trade_off = "Short texts are read as trained. Frequencies change with every token beyond, so cached keys were "
                  "rotated by others.",
     .published = "Lower perplexity than NTK-aware scaling for shorter sequences, higher at the longest.",
     .source = "emozilla 2023, post and figure"},
    {.id = "dynamic",
     .trade_off = "Short texts are read as trained, which a fixed factor does not do. Keys have to be cached before "
                  "rotation, or they keep the base of their time.",
     .published = "No blow-up of perplexity, as plain RoPE, fixed interpolation and fixed NTK-aware scaling show.",
     .source = "emozilla 2023, post and figure"},
    {.id = "ntk_by_parts",
     .trade_off =
         "Each pair gets what it needs. The ends of the two ramps were found by experiment on LLaMA and may not "
         "be optimal elsewhere."},
    {.id = "yarn",
     .trade_off =
         "By parts, with a temperature that sharpens attention over long contexts. A fixed factor changes short "
         "texts too.",
     .published = "10 times fewer tokens and 2.5 times fewer training steps than earlier methods.",
     .source = "Peng et al. 2023, abstract"},
    {.id = "longrope",
     .trade_off =
         "A divisor for each pair, searched for each model. The switch from the short to the long list changes "
         "all keys, also those in the cache.",
     .published = "2048k tokens of context, with up to 1k steps of fine-tuning at lengths within 256k.",
     .source = "Ding et al. 2024, abstract"},
    {.id = "llama3",
     .trade_off = "By parts in the turns of a pair, without a temperature. Needs continued training on long texts.",
     .published = "128k tokens from 8192, with factor 8.",
     .source = "Llama 3.1 model card and config.json"},
    {.id = "alibi",
     .trade_off =
         "No parameters, one addition per score. Far keys are penalised whatever they say, so heads with a steep "
         "slope never read them.",
     .curve = "ALiBi (Press et al.)"},
    {.id = "kerple_log",
     .trade_off = "Two learned numbers per head. The penalty grows ever more slowly, so more of a long context counts "
                  "than under ALiBi.",
     .published = "Excellent extrapolation on OpenWebText2, GitHub and ArXiv after training at 512 tokens.",
     .source = "Chi et al. 2022, KERPLE, abstract and section 5"},
    {.id = "kerple_power",
     .trade_off = "Two learned numbers per head. With r2 = 1 it is ALiBi with a learned slope; a larger r2 cuts the "
                  "context more sharply."},
    {.id = "sandwich",
     .trade_off =
         "No parameters, and a slower decay than ALiBi. The bias is a sum of cosines, so it is not monotone in "
         "the distance.",
     .published = "The first encoding without parameters that truly uses more context than the training length.",
     .source = "Chi et al. 2023, Dissecting Transformer Length Extrapolation, abstract"},
    {.id = "t5_bias",
     .trade_off =
         "num_buckets learned values per head, in T5 one table shared by all layers. Any shape near the query; "
         "all keys beyond max_distance have the same bias.",
     .curve = "T5 bias (Press et al.)"},
    {.id = "nope",
     .trade_off = "Nothing to compute or to extrapolate. Only a causal mask tells order, so a bidirectional encoder "
                  "cannot do without positions.",
     .published = "Causal models are competitive over data sets, sizes and lengths, but slightly worse throughout than "
                  "with positions; bidirectional masked models fail to converge.",
     .source = "Haviv et al. 2022, Transformer Language Models without Positional Encodings Still Learn Positional "
               "Information"},
    {.id = "fire",
     .trade_off =
         "A small network maps distance over query position to a bias per head. Cells depend on the query too, "
         "so the bias cannot be kept as one row.",
     .published =
         "Can represent T5, ALiBi and KERPLE biases; generalises better to longer contexts in language modelling "
         "and long-text benchmarks.",
     .source = "Li et al. 2023, Functional Interpolation for Relative Positions, abstract"},
    {.id = "transformer_xl_score",
     .trade_off = "Content and place have terms of their own. Costs one more product per layer, a shift of its result, "
                  "and a learned projection in each layer.",
     .published = "Perplexity 18.3 on WikiText-103 and 0.99 bits per byte on enwik8.",
     .source = "Dai et al. 2019, Transformer-XL, abstract"},
    {.id = "randomized_positions",
     .trade_off = "Any encoding sees far positions in short training sequences. Distances are noisy, and the longest "
                  "length has to be chosen beforehand.",
     .published = "Accuracy on 15 algorithmic tasks at unseen lengths rises by 12.0 % on average.",
     .source = "Ruoss et al. 2023, Randomized Positional Encodings, abstract"},
};

constexpr ScalingNote scalings[]{
    {"default", "RoPE", "Su et al. 2021, RoFormer, section 3.4", ""},
    {"linear", "Position interpolation (PI)",
     "Chen et al. 2023, Extending Context Window of Large Language Models via Positional Interpolation; kaiokendev "
     "2023, "
     "SuperHOT",
     "To factor times the training length after fine-tuning; hardly without (Chen et al. 2023)."},
    {"ntk", "NTK-aware", "bloc97 2023, NTK-Aware Scaled RoPE (r/LocalLLaMA)",
     "Without fine-tuning to somewhat less than factor times the training length, then perplexity explodes (emozilla "
     "2023)."},
    {"dynamic_linear", "Dynamic linear", "emozilla 2023, Dynamically Scaled RoPE (r/LocalLLaMA)",
     "Degrades gradually instead of breaking at one length (emozilla 2023)."},
    {"dynamic", "Dynamic NTK", "emozilla 2023, Dynamically Scaled RoPE (r/LocalLLaMA)",
     "Degrades gradually instead of breaking at one length, without fine-tuning (Peng et al. 2023, YaRN)."},
    {"ntk_by_parts", "NTK-by-parts", "Peng et al. 2023, YaRN, section 3.2; jquesnelle/yarn, first version",
     "Better than PI and NTK-aware scaling with and without fine-tuning (Peng et al. 2023, section 3.2)."},
    {"yarn", "YaRN", "Peng et al. 2023, YaRN: Efficient Context Window Extension of Large Language Models",
     "To factor times the training length after little fine-tuning, and somewhat beyond (Peng et al. 2023)."},
    {"longrope", "LongRoPE", "Ding et al. 2024, LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens",
     "To 2048k tokens after fine-tuning in two steps (Ding et al. 2024)."},
    {"llama3", "Llama 3.1 scaling", "Grattafiori et al. 2024, The Llama 3 Herd of Models; Llama 3.1 model code",
     "To factor times the original length after continued training on long texts."},
};

template <class Note>
Note found(std::span<const Note> all, std::string_view id, std::string_view Note::*key) {
  const auto note = std::ranges::find(all, id, key);
  return note == all.end() ? Note{} : *note;
}

/// The first, second and last value of a series: "perplexity 20.05 at 512, 43.54 at 1012 and 373.17 at 12512 tokens …".
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

SurveyNote survey_note(std::string_view id) { return found<SurveyNote>(notes, id, &SurveyNote::id); }

ScalingNote scaling_note(std::string_view rope_type) {
  return found<ScalingNote>(scalings, rope_type, &ScalingNote::rope_type);
}

std::string published_result(const SurveyNote& note) {
  return note.curve.empty() ? std::string(note.published) : sentence_of(alibi_table_2(), note.curve);
}

std::string published_source(const SurveyNote& note) {
  return note.curve.empty() ? std::string(note.source) : alibi_table_2().source;
}

}  // namespace vqscope
