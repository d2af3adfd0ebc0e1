// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/experiment/mask_test/mask_test_model.h"
#include "core/experiment/methods.h"
#include "core/experiment/training/model_training.h"
#include "core/mask/methods.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/model/kernels/products.h"

#include <algorithm>
#include <optional>

namespace vqscope {
namespace {

constexpr Index vocabulary = 32;

Index length_of(const ParameterValues& values) { return values.integer("q_length"); }

/// Length of the first document; a third of the tokens if automatic.
Index first_document(const ParameterValues& values) {
  const Index given = values.integer("first_document");
  return given > 0 ? given : std::max<Index>(1, length_of(values) / 3);
}

Index prefill_of(const ParameterValues& values) {
  const Index given = values.integer("prefill");
  return given > 0 ? given : length_of(values) / 2;
}

/// Why an imported mask, which has only its own sequence, cannot have the test; empty: it can.
std::string reason_to_skip(const ParameterValues& values, std::string_view test) {
  if (!has_imported_mask(values)) return {};
  if (test == "left_padding") return "left_padding is skipped: an imported mask is of one sequence, without padding";
  if (test == "packed_boundary" && values.integer("first_document") == 0)
    return "packed_boundary is skipped: first_document does not say where the second document of the mask begins";
  return {};
}

bool is_run(const ParameterValues& values, const char* test) {
  return std::ranges::count(values.choices("tests"), test) > 0 && reason_to_skip(values, test).empty();
}

/// Every sequence of the tests, with its mask.
struct Scenarios {
  std::optional<MaskScenario> alone, padded, packed, prefill;
  std::vector<MaskScenario> decode;
};

/// Makes the scenarios of the tests that are run.
class ScenarioMaker {
 public:
  ScenarioMaker(const ParameterValues& values, const std::stop_token& stop) : m_values(values), m_stop(stop) {}

  Result<Scenarios> make() {
    const Index length = length_of(m_values), padding = m_values.integer("left_padding"),
                first = first_document(m_values), prefill = prefill_of(m_values);
    if (has_imported_mask(m_values)) {
      auto whole = whole_imported_mask(m_values, m_stop);
      if (!whole) return whole.error();
      m_whole = std::move(*whole);
    }
    const std::pair<std::optional<MaskScenario> Scenarios::*, ScenarioSequence> sequences[]{
        {&Scenarios::alone, {.q_length = length}},
        {&Scenarios::padded, {.q_length = length + padding, .left_padding = padding}},
        {&Scenarios::packed, {.q_length = length, .document_lengths = {first, length - first}}},
        {&Scenarios::prefill, {.q_length = prefill}}};
    Scenarios all;
    for (const auto& [member, sequence] : sequences) {
      if (m_whole && sequence.left_padding > 0) continue;
      auto scenario = scenario_of(sequence);
      if (!scenario) return scenario.error();
      (all.*member).emplace(std::move(*scenario));
    }
    for (Index past = prefill; past < length; ++past) {
      auto scenario = scenario_of({.q_length = 1, .past_len = past});
      if (!scenario) return scenario.error();
      all.decode.push_back(std::move(*scenario));
    }
    return all;
  }

 private:
  Result<MaskScenario> scenario_of(const ScenarioSequence& sequence) const {
    return m_whole ? imported_scenario(m_values, *m_whole, sequence) : mask_scenario(m_values, sequence, m_stop);
  }

  const ParameterValues& m_values;
  std::stop_token m_stop;
  std::shared_ptr<const Mask> m_whole;  ///< null: not imported
};

/// Number of queries of real tokens, in all sequences, that see no key.
Index empty_rows(const Scenarios& all) {
  Index count = 0;
  std::vector<Range> row;
  const auto add = [&](const MaskScenario& scenario) {
    for (Index q = 0; q < scenario.layout.q_length(); ++q) {
      if (!scenario.layout.q_valid(q)) continue;
      scenario.mask->row(q, row);
      count += row.empty();
    }
  };
  for (const auto* scenario : {&all.alone, &all.padded, &all.packed, &all.prefill})
    if (*scenario) add(**scenario);
  for (const auto& scenario : all.decode) add(scenario);
  return count;
}

class MaskTest {
 public:
  MaskTest(const ParameterValues& values, const Work& work) : m_values(values), m_work(work) {}

  Result<CurveSet> make() {
    auto scenarios = ScenarioMaker(m_values, m_work.stop).make();
    if (!scenarios) return scenarios.error();
    auto config = model_config(m_values, vocabulary);
    if (!config) return config.error();
    config->max_pos = std::max(config->max_pos, length_of(m_values) + m_values.integer("left_padding"));
    const auto model = MaskTestModel::create(*config, length_of(m_values),
                                             static_cast<std::uint64_t>(m_values.integer("seed")), m_work);
    if (!model) return model.error();
    describe();
    if (auto done = run(*model, *scenarios); !done) return done.error();
    m_set.facts.emplace_back("empty_rows", static_cast<double>(empty_rows(*scenarios)));
    return std::move(m_set);
  }

 private:
  void describe() {
    m_set.x_name = "token";
    m_set.x_title = "token";
    m_set.y_title = "largest change of a logit";
    m_set.formula =
        "two forward passes of a small model with random weights in float64 that must give the same logits; a change "
        "means that the mask or the positions leak information; changes up to 1e-9 are rounding and plotted as 0";
    for (const std::string& test : m_values.choices("tests"))
      if (const std::string reason = reason_to_skip(m_values, test); !reason.empty()) m_set.formula += "; " + reason;
    if (const Index rows = has_imported_mask(m_values) ? imported_row_count(m_values) : 0; rows > length_of(m_values))
      m_set.formula += fmt::format("; the first {} of the imported mask's {} tokens", length_of(m_values), rows);
    for (Index token = 0; token < length_of(m_values); ++token) m_set.x.push_back(static_cast<double>(token));
  }

  Result<void> run(const MaskTestModel& model, const Scenarios& all) {
    const bool by_index = m_values.choice("positions_from") == "index";
    const bool restart = m_values.choice("decode_positions") == "restart";
    MaskedLoss loss;
    if (is_run(m_values, "future_token"))
      if (auto done = add("future_token", model.later_tokens(*all.alone)); !done) return done;
    if (is_run(m_values, "left_padding")) {
      if (auto done = add("left_padding", model.left_padding(*all.alone, *all.padded, by_index, loss)); !done)
        return done;
      m_set.facts.emplace_back("loss_without_padding", loss.alone);
      m_set.facts.emplace_back("loss_masked", loss.masked);
      m_set.facts.emplace_back("loss_with_padding_counted", loss.unmasked);
    }
    if (is_run(m_values, "packed_boundary"))
      if (auto done = add("packed_boundary", model.other_documents(*all.packed, by_index)); !done) return done;
    if (is_run(m_values, "cached_decode"))
      return add("cached_decode", model.cached_decode(*all.alone, *all.prefill, all.decode, restart));
    return {};
  }

  Result<void> add(const char* test, const Result<TestDifferences>& differences) {
    if (!differences) return differences.error();
    const double first = differences->first();
    m_set.curves.push_back({std::string(test) + (differences->passed() ? "" : " (differs)"), differences->by_token});
    for (double& y : m_set.curves.back().y)
      if (y <= TestDifferences::allowed) y = 0;
    m_set.facts.emplace_back(fmt::format("{}_passed", test), differences->passed() ? 1 : 0);
    m_set.facts.emplace_back(fmt::format("{}_first", test), first);
    m_set.facts.emplace_back(fmt::format("{}_largest", test), differences->largest());
    if (!differences->passed()) m_set.marks.push_back({first, fmt::format("{} from {}", test, to_text(first))});
    m_done += 0.25;
    m_work.report(m_done);
    return {};
  }

  const ParameterValues& m_values;
  const Work& m_work;
  CurveSet m_set;
  double m_done = 0;
};

Result<CurveSet> make_mask_test(const ParameterValues& values, const Work& work) {
  return MaskTest(values, work).make();
}

Result<void> check_mask_test(const ParameterValues& values) {
  const Index length = length_of(values);
  if (values.choices("tests").empty()) return invalid("tests is empty but must have at least one test");
  std::string skipped;
  for (const std::string& test : values.choices("tests")) {
    const std::string reason = reason_to_skip(values, test);
    if (reason.empty()) {
      skipped.clear();
      break;
    }
    skipped += (skipped.empty() ? "" : "; ") + reason;
  }
  if (!skipped.empty()) return invalid("tests has no test for this mask: {}", skipped);
  if (const Index rows = has_imported_mask(values) ? imported_row_count(values) : length; length > rows)
    return invalid("q_length is {}, the imported mask has {} rows", length, rows);
  if (first_document(values) >= length)
    return invalid("first_document is {} but must be below q_length, {}", first_document(values), length);
  if (prefill_of(values) >= length)
    return invalid("prefill is {} but must be below q_length, {}", prefill_of(values), length);
  if (auto config = model_config(values, vocabulary); !config) return config.error();
  return has_mask_text(values) ? check_mask_text(values) : Result<void>();
}

ParameterSpec tokens(const char* name, const char* help, Index default_value, double minimum, double maximum,
                     const char* automatic = "") {
  return make_parameter(name, "Test", help,
                        {.default_value = default_value,
                         .minimum = minimum,
                         .maximum = maximum,
                         .unit = "tokens",
                         .automatic = automatic});
}

std::vector<ParameterSpec> mask_test_parameters() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : visibility_method().parameters) {
    if (spec.group != "Mask" && spec.name != "mask_text") continue;
    if (spec.name == "mask") std::erase_if(spec.choices, [](const Choice& choice) { return choice.id == "cross"; });
    if (spec.name != "mask_file") specs.push_back(std::move(spec));
  }
  add_parameter(
      specs, "tests", "Test", "Tests to run.",
      {.default_value = std::vector<std::string>{"future_token", "left_padding", "packed_boundary", "cached_decode"},
       .choices = {{"future_token", "changes each token once: no earlier logit may change"},
                   {"left_padding", "tokens after padding: same logits as without padding"},
                   {"packed_boundary", "two documents packed: changing one may not change the other"},
                   {"cached_decode", "prefill, then token by token: same logits as all at once"}}});
  specs.push_back(tokens("q_length", "Number of tokens of each test.", 24, 4, 96));
  specs.back().label = "T";
  specs.push_back(tokens("left_padding", "Number of padding tokens before the sequence.", 5, 1, 32));
  specs.push_back(tokens("first_document", "Length of the first of two documents.", 0, 0, 95, "a third of the tokens"));
  specs.push_back(tokens("prefill", "Number of tokens before decoding begins.", 0, 0, 95, "half of the tokens"));
  add_parameter(specs, "positions_from", "Test", "Positions of tokens after padding and of packed documents.",
                {.default_value = std::string("sequence"),
                 .choices = {{"sequence", "padding does not count, documents begin at 0"},
                             {"index", "the index in the row, as without position_ids"}}});
  add_parameter(specs, "decode_positions", "Test", "Positions of decoded tokens.",
                {.default_value = std::string("past_len"),
                 .choices = {{"past_len", "from the number of tokens in the cache on"},
                             {"restart", "from 0 on, as if there were no cache"}}});
  for (auto& spec : model_kind_parameters()) {
    if (spec.name == "mask") continue;
    if (spec.name == "attn") std::erase_if(spec.choices, [](const Choice& choice) { return choice.id == "mask"; });
    specs.push_back(std::move(spec));
  }
  for (auto& spec : model_size_parameters()) {
    if (spec.name == "d_model") spec.default_value = Index{32}, spec.maximum = 128;
    if (spec.name == "d_ff") spec.default_value = Index{64}, spec.maximum = 512;
    if (spec.name == "n_layers") spec.maximum = 8;
    specs.push_back(std::move(spec));
  }
  specs.push_back(seed_parameter("Model", "Random seed of weights and tokens."));
  return specs;
}

}  // namespace

Result<ParameterValues> mask_test_values(const ParameterValues& visibility) {
  if (!visibility.find("mask")) return invalid("mask is missing but must be a mask of self-attention");
  if (auto checked = check_tested_mask(visibility); !checked) return checked.error();
  const Method method = mask_test_method();
  const ParameterValues carried = carried_values(method, visibility);
  ParameterValues of_mask;
  for (const auto& [name, value] : carried.map()) {
    const ParameterSpec* own = find_spec(method.parameters, name);
    if (!own || own->group == "Mask" || name == "mask_text") of_mask.set(name, value);
  }
  if (!has_imported_mask(of_mask)) return of_mask;
  const ParameterSpec& length = *find_spec(method.parameters, "q_length");
  const Index rows = imported_row_count(of_mask);
  of_mask.set("q_length",
              std::clamp<Index>(rows, static_cast<Index>(length.minimum), static_cast<Index>(length.maximum)));
  return of_mask;
}

Method mask_test_method() {
  return {.id = "mask_test",
          .title = "Forward passes that test a mask",
          .help =
              "Changes of a small model's logits that a correct mask rules out. The tests change later tokens, padding "
              "or other documents, or decode from a cache.",
          .citation = {"The five tests of a mask: future-token leakage, left padding, packed boundary, prefill against "
                       "cached decode, rows without a key",
                       "Hugging Face transformers, models/llama: layout of the model"},
          .parameters = mask_test_parameters(),
          .free_parameters = mask_text_parameters,
          .check = check_mask_test,
          .recipe = CurveRecipe{
              .make = make_mask_test, .origin = CurveOrigin::measured, .kernels = best_products<double>().name}};
}

}  // namespace vqscope
