// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"
#include "core/base/sentence.h"
#include "core/lint/lint_plan.h"
#include "core/lint/lint_regions.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace vqscope {
namespace {

/// Contents of the tensor that the library receives: as set, else as in the file. Empty: not known.
std::string handed_values(const LintCase& given) {
  if (!given.values.empty() || !given.file || given.file->values == TensorValues::no_tensor) return given.values;
  return tensor_values_name(given.file->values);
}

/// Meaning of True in the file; empty: there is no file, or it has no True.
std::string file_true_means(const LintCase& given) {
  if (!given.file || !given.file->has_polarity() || given.file->values == TensorValues::no_tensor) return {};
  return given.file->polarity == ImportedPolarity::visible_true ? "attends" : "masked";
}

std::string true_word(const LintCase& given) {
  const std::string values = handed_values(given);
  return values == "integers" || values == "zero_one" ? "1" : "True";
}

bool is_one_of(const Backend* backend, std::initializer_list<std::string_view> ids) {
  return backend && std::ranges::find(ids, backend->id) != ids.end();
}

/// Whether numbers are refused where a mask is expected.
bool takes_only_booleans(const Backend* backend) {
  return is_one_of(backend, {"flex_attention", "jax", "splash_attention"});
}

/// "torch SDPA" of "torch SDPA, boolean".
std::string library_name(const Backend& backend) { return backend.title.substr(0, backend.title.find(',')); }

std::string file_name(const MaskFile& file) { return file.source.empty() ? "the file" : file.source; }

/// "True is masked in this mask", "True is masked in mask.npy [8, 8] (guessed: ...)".
std::string meaning_text(const LintCase& given, bool attends) {
  std::string text = true_word(given) + (attends ? " attends in " : " is masked in ");
  if (!given.true_means.empty() || !given.file) return text + "this mask";
  return text + fmt::format("{} ({})", file_name(*given.file), polarity_reason(*given.file));
}

/// Question about the meaning of True, whatever the library; empty: none.
std::string unclear_polarity(const LintCase& given) {
  const std::string in_file = file_true_means(given);
  if (in_file.empty()) return {};
  const bool is_known = given.file->decided != PolaritySource::unknown;
  if (!given.true_means.empty() && given.true_means != in_file && is_known)
    return fmt::format("{}, but true_means is {}: read the file with the other polarity, or correct true_means",
                       mask_file_sentence(*given.file), given.true_means);
  if (given.true_means.empty() && !is_known)
    return fmt::format("nothing in {} shows whether {} is visible: set its polarity", file_name(*given.file),
                       true_word(given));
  return {};
}

RulePlan only_error(const std::string& sentence) {
  RulePlan plan;
  plan.conclude = [sentence](const Tallies&, std::vector<Finding>& out) {
    out.push_back(finding(Severity::error, {}, {}, sentence));
  };
  return plan;
}

/// How a library fails on floats instead of booleans, or on the zeros of a padding mask; empty: no
/// fault.
std::string float_sentence(const LintCase& given, const Backend* backend, const std::string& values) {
  const std::string mask = given.values.empty() && given.file ? file_name(*given.file) : "this mask";
  if (takes_only_booleans(backend))
    return fmt::format("{} takes a boolean mask and refuses the floats of {}{}", library_name(*backend), mask,
                       backend->id == "jax" && values == "additive" ? ", which belong into bias" : "");
  if (values == "additive" && is_one_of(backend, {"padding_2d"}))
    return fmt::format("0 attends in {} and is padding in {}", mask, backend->title);
  return {};
}

/// Without a backend: a question only where the values leave doubt how a library reads them. True is
/// visible in most libraries.
RulePlan polarity_without_backend(const LintCase& given) {
  if (!given.true_means.empty())
    return only_question("true_means is set: also set dialect, the backend that receives the mask",
                         {suggest("dialect")});
  if (const auto unclear = unclear_polarity(given); !unclear.empty()) return only_question(unclear, {});
  if (file_true_means(given) == "attends") return skipped("dialect is not set");
  return only_question(mask_file_sentence(*given.file) + ": set dialect, the backend that receives the mask",
                       {suggest("dialect")});
}

RulePlan backend_polarity(const LintCase& given) {
  const std::string values = handed_values(given);
  const Backend* backend = find_backend(given.backend);
  const bool pads = is_one_of(backend, {"padding_2d"});
  const bool floats = values == "zero_one" || values == "additive";
  if (const auto wrong = floats ? float_sentence(given, backend, values) : std::string(); !wrong.empty())
    return only_error(wrong);
  const std::string means = given.true_means.empty() ? file_true_means(given) : given.true_means;
  if (means.empty()) return skipped("true_means is not set");
  if (floats && !pads) return skipped("a float mask is added to the scores");
  if (!backend) return polarity_without_backend(given);
  const bool attends = backend->polarity == MaskPolarity::true_attends;
  if (!attends && backend->polarity != MaskPolarity::true_masked)
    return skipped(backend->title + " takes no boolean mask");
  if (const auto unclear = unclear_polarity(given); !unclear.empty()) return only_question(unclear, {});
  RulePlan plan;
  plan.probes.push_back({every_cell(given), true});
  plan.conclude = [&given, backend, attends, means](const Tallies& tallies, std::vector<Finding>& out) {
    if (attends == (means == "attends")) return;
    const CellTally& masked = tallies.cells[0];
    if (masked.region == 0) return;
    out.push_back(
        finding(Severity::error, {}, {},
                fmt::format("{} and {} in {}: all {} would be inverted", meaning_text(given, !attends),
                            attends ? "attends" : "is masked", backend->title, counted(masked.region, "cell"))));
  };
  return plan;
}

/// Why numbers 0 and 1 mask nothing where they are added.
std::string added_sentence(const std::string& values) {
  if (values == "zero_one")
    return "a float mask of 0 and 1 is added to the scores, so a masked key keeps 1/e of its weight";
  return fmt::format("{} are added to the scores as 1 and 0, which masks nothing: the mask must hold 0 and -inf",
                     values == "boolean" ? "True and False" : "integers 1 and 0");
}

RulePlan zero_one_mask(const LintCase& given) {
  const std::string values = handed_values(given);
  if (values.empty()) return skipped("values is not set");
  const Backend* backend = find_backend(given.backend);
  const bool refuses = takes_only_booleans(backend) || is_one_of(backend, {"sdpa", "mha"});
  const std::string if_boolean = ": set values=boolean if the model's own mask is boolean";
  const Suggestion boolean = suggest("values", std::string("boolean"));
  if (values == "integers" && refuses)
    return only_question(library_name(*backend) + " refuses a mask of integers" + if_boolean, {boolean});
  if (values == "integers" && is_one_of(backend, {"onnx_attention", "mlx"}))
    return only_question(
        library_name(*backend) + " adds integers 0 and 1 to the scores, which masks nothing" + if_boolean, {boolean});
  const bool adds_none = backend && (takes_only_booleans(backend) || is_one_of(backend, {"padding_2d"}) ||
                                     backend->polarity == MaskPolarity::arguments);
  if (adds_none) return skipped(backend->title + " adds no mask");
  const bool added = backend && backend->polarity == MaskPolarity::added;
  if (values == "additive" || (values != "zero_one" && !added))
    return skipped("the mask is not a float mask of 0 and 1");
  if (!backend && given.values.empty())
    return only_question(mask_file_sentence(*given.file) +
                             ": set dialect, the backend that receives the mask; torch adds floats to the scores",
                         {suggest("dialect")});
  RulePlan plan;
  plan.probes.push_back({every_cell(given), true, true});
  plan.conclude = [values](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& masked = tallies.cells[0];
    if (masked.wrong == 0) return;
    out.push_back(
        cell_finding(Severity::error, masked,
                     fmt::format("row {} would see key {}: {}", masked.row, masked.key, added_sentence(values))));
  };
  return plan;
}

}  // namespace

std::vector<LintRule> tensor_rules() {
  return {
      {{"zero_one_mask", "0 and 1 are added",
        "A mask that is added to the scores contains only 0 and a large negative number.",
        "torch SDPA: a float attn_mask is added to the score; vllm speculators#691"},
       zero_one_mask},
      {{"dialect_polarity", "Polarity differs from the backend's",
        "True has the same meaning in the mask and in the library.", "pytorch#170415, TransformerEngine#614"},
       backend_polarity},
  };
}

}  // namespace vqscope
