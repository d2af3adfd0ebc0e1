// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/finding/findings.h"

#include "core/schedule/reach/layer_reach.h"
#include "core/schedule/text/layer_texts.h"
#include "tests/core/schedule/reach/boolean_reach.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

LayerSight sight_of(std::string_view layers, SequenceOfLayers sequence) {
  return LayerSight::make(parse_layers(layers).value(), std::move(sequence)).value();
}

LayerSight sight_of(std::string_view layers, Index length) { return sight_of(layers, SequenceOfLayers::plain(length)); }

/// "title sentence" of all findings, a line each.
std::string findings_text(const std::vector<ScheduleFinding>& findings) {
  std::string text;
  for (const auto& each : findings) text += (text.empty() ? "" : "\n") + each.title + ". " + each.sentence;
  return text;
}

SequenceOfLayers packed() {
  SequenceOfLayers sequence = SequenceOfLayers::plain(100);
  sequence.document_lengths = {60, 40};
  return sequence;
}

}  // namespace

class ScheduleFindingsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void plain_models_have_none() {
    COMPARE_TEXT(findings_text(find_in_schedule(sight_of("32*full", 1000), 999)), "");
    COMPARE_TEXT(findings_text(find_in_schedule(sight_of("12*full two_sided", packed()), 50)), "");
  }

  void documents_meet() {
    SequenceOfLayers sequence = packed();
    sequence.keeps_documents[static_cast<std::size_t>(LayerAttention::full)] = false;
    const auto findings = find_in_schedule(sight_of("2*(2*sliding:8,full)", sequence), 99);
    COMPARE_TEXT(
        findings_text({findings.front()}),
        "Documents meet from layer 2 on. Other documents are not masked in layers 2, 5: token 60 of document 1 "
        "depends on token 59 of document 0. After the last layer, query 99 depends on 60 tokens of other "
        "documents.");
    QCOMPARE(findings.front().layer, Index{2});
  }

  void states_cross() {
    SequenceOfLayers sequence = packed();
    sequence.keeps_documents[static_cast<std::size_t>(LayerAttention::state)] = false;
    const auto findings = find_in_schedule(sight_of("3*state,full nope", sequence), 70);
    COMPARE_TEXT(
        findings_text(findings),
        "Recurrent state crosses documents from layer 0 on. The state is not reset at document starts in layers "
        "0-2: token 60 of document 1 depends on token 59 of document 0. After the last layer, query 70 "
        "depends on 60 tokens of other documents.");
  }

  /// A chunk that ends where a document ends crosses nothing.
  void chunks_that_fit_documents() {
    SequenceOfLayers sequence = packed();
    sequence.keeps_documents.fill(false);
    QCOMPARE(find_in_schedule(sight_of("chunked:20", sequence), 99).front().severity, ScheduleSeverity::loss);
    QCOMPARE(find_in_schedule(sight_of("chunked:50", sequence), 99).front().severity, ScheduleSeverity::leak);
  }

  void windows_end() {
    COMPARE_TEXT(findings_text(find_in_schedule(sight_of("32*sliding:4096", 2097152), 2097151)),
                 "Tokens 0 to 1966110 never reach query 2097151. The model has 32 sliding layers, which together look "
                 "131040 tokens back; 1966111 of 2097151 earlier tokens have no path to the query at any depth.");
    COMPARE_TEXT(
        findings_text(find_in_schedule(sight_of("4*chunked:10", 95), 94)),
        "Tokens 0 to 89 never reach query 94. The model has 4 chunked layers and none that leaves its chunk; 90 "
        "of 94 earlier tokens have no path to the query at any depth.");
  }

  void full_layers_carry() {
    COMPARE_TEXT(findings_text(find_in_schedule(sight_of("2*(2*sliding:8,full)", 100), 99)),
                 "Far tokens need the full layers. With the mask of the sliding layers (8 tokens) in layers 2, 5 too, "
                 "tokens 0 to 56 would not reach query 99.");
  }

  /// Tokens of other documents that a full layer carries would be no loss.
  void only_tokens_of_the_document_are_lost() {
    SequenceOfLayers sequence = packed();
    sequence.keeps_documents[static_cast<std::size_t>(LayerAttention::full)] = false;
    const auto findings = find_in_schedule(sight_of("2*(2*sliding:8,full)", sequence), 70);
    QCOMPARE(findings.size(), std::size_t{1});
    QCOMPARE(findings.front().severity, ScheduleSeverity::leak);
  }

  void nope_layers_carry() {
    const auto findings = find_in_schedule(sight_of("2*(3*chunked:10,full nope)", 100), 99);
    COMPARE_TEXT(findings.back().title, "Far tokens have no position");
    COMPARE_TEXT(
        findings.back().sentence,
        "Only attention without positions (layers 3, 7) connects tokens 0 to 89 to query 99: what it reads there "
        "does not depend on the distance.");
  }

  void shared_keys() {
    const auto findings = find_in_schedule(sight_of("2*sliding:8,2*sliding:8 shares=1", 20), 19);
    COMPARE_TEXT(
        findings.back().sentence,
        "Keys and values of earlier layers are used in layers 2-3. What a token gains from layer 1 on reaches no "
        "other token. Query 19 is reached from token 5 on; with keys of their own, from token 0 on.");
  }

  void one_chunk_differs() {
    const auto findings = find_in_schedule(sight_of("4*chunked:16,chunked:10,3*chunked:16", 100), 99);
    COMPARE_TEXT(findings.back().title, "The chunk of layer 4 differs");
    COMPARE_TEXT(
        findings.back().sentence,
        "Chunks of 10 tokens in layer 4, of 16 in the other 7 chunked layers. Query 99 is reached from token 80 "
        "on; if all were alike, from token 96 on.");
  }

  void future() {
    const auto findings = find_in_schedule(sight_of("full,sliding:8 two_sided", 100), 99);
    COMPARE_TEXT(findings.front().sentence,
                 "A causal model has two-sided attention in layer 1: token 0 depends on token 4, so a next-token loss "
                 "is trained "
                 "on targets that the model sees.");
  }

  void compared() {
    const auto intended = sight_of("2*(2*sliding:8,full)", 100), given = sight_of("6*sliding:8", 100);
    COMPARE_TEXT(findings_text(compare_schedules(intended, given, 99)),
                 "57 tokens are lost. Query 99 is reached from token 57 on instead of token 0.\n"
                 "Layer 2 is not as intended. Found sliding:8 instead of full in layers 2, 5.");
    QCOMPARE(compare_schedules(given, intended, 99).front().severity, ScheduleSeverity::leak);
    QVERIFY(compare_schedules(given, given, 99).empty());
    COMPARE_TEXT(compare_schedules(given, sight_of("full", 100), 9).front().sentence, "Found 1, intended 6.");
  }

  /// A leak is found exactly where a query depends on another document, in boolean products.
  void leaks_agree_with_boolean_products() {
    Random random(21);
    for (int round = 0; round < 200; ++round) {
      const LayerSchedule schedule = random_layers(random, 5);
      const SequenceOfLayers sequence = random_sequence(random, schedule, 20);
      const auto sight = LayerSight::make(schedule, sequence).value();
      const auto after = boolean_reach(schedule, sequence).back();
      bool crosses = false;
      for (Index q = 0; q < sequence.length; ++q)
        for (Index k = 0; k < sequence.length; ++k)
          crosses = crosses || (is_set(after, q, k) && sight.document_number(q) != sight.document_number(k));
      bool found = false;
      for (const auto& each : find_in_schedule(sight, sequence.valid.end - 1))
        found = found || each.title.starts_with("Documents") || each.title.starts_with("Recurrent");
      QCOMPARE(found, crosses);
    }
  }
};

VQSCOPE_TEST(ScheduleFindingsTest)
#include "schedule_findings_test.moc"
