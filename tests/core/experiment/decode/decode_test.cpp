// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/decode/decode_lane.h"
#include "core/experiment/decode/paged_cache.h"
#include "core/experiment/methods.h"
#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <deque>
#include <map>
#include <set>

using namespace vqscope;

namespace {

using Map = ParameterValues::Map;

/// A cache as a program has it: token after token, with slots that are written over.
struct Simulated {
  CacheSizes sizes;
  std::map<Index, Index> ring;  ///< slot to position, of rings
  std::set<Index> kept;         ///< positions
  std::set<Index> gone;

  void read(Index position) {
    switch (sizes.policy) {
      case CachePolicy::full:
      case CachePolicy::paged: break;
      case CachePolicy::window: write(position % sizes.window, position); break;
      case CachePolicy::sinks:
        write(position < sizes.sinks ? position : sizes.sinks + (position - sizes.sinks) % sizes.window, position);
        break;
      case CachePolicy::transformer_xl:
      case CachePolicy::memorizing:
        if (position % sizes.segment_len == 0) shorten(sizes.memory_len);
        break;
      case CachePolicy::infini:
        if (position % sizes.segment_len == 0) shorten(0);
        break;
      case CachePolicy::vq:
        if (position % sizes.block_len == 0) shorten(sizes.block_len);
        break;
    }
    kept.insert(position);
  }
  void write(Index slot, Index position) {
    if (const auto old = ring.find(slot); old != ring.end()) {
      kept.erase(old->second);
      gone.insert(old->second);
    }
    ring[slot] = position;
  }
  void shorten(Index most) {
    while (static_cast<Index>(kept.size()) > most) {
      gone.insert(*kept.begin());
      kept.erase(kept.begin());
    }
  }
};

/// Blocks of 2. The prompts of 3 and 4 tokens take the blocks 0 and 1, 2 and 3.
Map paged_lanes(const char* fault, Index step) {
  return {{"lengths", std::vector<Index>{3, 4}}, {"steps", Index{8}},      {"step", step},
          {"policy", std::string("paged")},      {"block_size", Index{2}}, {"fault", std::string(fault)}};
}

DecodeBatch batch_of(const Map& set) {
  const Method method = decode_trace_method();
  return decode_batch(default_values(method.parameters, set));
}

const CachePolicy policies[]{
    CachePolicy::full,       CachePolicy::window, CachePolicy::sinks, CachePolicy::transformer_xl,
    CachePolicy::memorizing, CachePolicy::infini, CachePolicy::vq};

ParameterValues decode_values(const Map& set) {
  const Method method = decode_scores_method();
  return default_values(method.parameters, set);
}

std::shared_ptr<const Field> trace(const Map& set) {
  const Method method = decode_trace_method();
  return make_field(method, default_values(method.parameters, set)).value();
}

std::string row_of(const Field& field, Index row) {
  std::string text;
  for (Index col = 0; col < field.extent().cols; ++col) text += "p.ecs#N!"[static_cast<int>(field.at(row, col))];
  return text;
}

}  // namespace

class DecodeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// p padding, . to come, e evicted, c compressed, s searched, # cached, N newest, ! wrong.
  void rows_by_hand() {
    const Map base{{"lengths", std::vector<Index>{2, 4}},
                   {"steps", Index{6}},
                   {"step", Index{4}},
                   {"window", Index{3}},
                   {"sinks", Index{1}},
                   {"segment_len", Index{4}},
                   {"memory_len", Index{2}},
                   {"block_len", Index{2}}};
    const auto rows = [&](const char* policy) {
      Map map = base;
      map["policy"] = std::string(policy);
      const auto field = trace(map);
      return row_of(*field, 0) + " " + row_of(*field, 1);
    };
    QCOMPARE(rows("full"), std::string("pp#####N.. #######N.."));
    QCOMPARE(rows("window"), std::string("ppeee##N.. eeeee##N.."));
    QCOMPARE(rows("sinks"), std::string("pp#ee##N.. #eeee##N.."));
    QCOMPARE(rows("transformer_xl"), std::string("ppee###N.. ee#####N.."));
    QCOMPARE(rows("memorizing"), std::string("ppeess#N.. eess###N.."));
    QCOMPARE(rows("infini"), std::string("ppcccc#N.. cccc###N.."));
    QCOMPARE(rows("vq"), std::string("ppcc###N.. cccc###N.."));
  }

  void slots_by_hand() {
    const auto field = trace({{"lengths", std::vector<Index>{2}},
                              {"steps", Index{6}},
                              {"step", Index{3}},
                              {"policy", std::string("sinks")},
                              {"window", Index{3}},
                              {"sinks", Index{1}},
                              {"columns", std::string("slots")}});
    QCOMPARE(row_of(*field, 0), std::string("#N##"));  // the sink 0, then a ring with 4, 2 and 3
    QCOMPARE(trace({{"lengths", std::vector<Index>{2}},
                    {"steps", Index{6}},
                    {"step", Index{0}},
                    {"columns", std::string("slots")},
                    {"policy", std::string("window")},
                    {"window", Index{4}}})
                 ->extent()
                 .cols,
             Index{4});
  }

  /// Token by token, with slots that are written over.
  void caches_agree_with_a_simulation() {
    for (const CachePolicy policy : policies)
      for (Index a = 1; a <= 4; ++a)
        for (Index b = 0; b <= 3; ++b) {
          const CacheSizes sizes{
              .policy = policy, .window = a, .sinks = b, .segment_len = a, .memory_len = b, .block_len = a};
          const DecodeLane lane{.sizes = sizes, .prompt = 3, .padded = 5, .steps = 20};
          Simulated simulated{.sizes = sizes, .ring = {}, .kept = {}, .gone = {}};
          std::map<Index, Index> left;
          for (Index newest = 0; newest < 23; ++newest) {
            const auto before = simulated.gone;
            simulated.read(newest);
            for (const Index position : simulated.gone)
              if (!before.contains(position)) left[position] = newest;
            QCOMPARE(lane.kept(newest), static_cast<Index>(simulated.kept.size()));
            std::set<Index> in_slots;
            for (Index slot = 0; slot < lane.slot_count(); ++slot)
              if (const auto position = lane.in_slot(slot, newest); position && *position >= 0) {
                in_slots.insert(*position);
                QCOMPARE(lane.slot_of(*position, newest), std::optional(slot));
              }
            QCOMPARE(in_slots, simulated.kept);
            for (Index position = 0; position <= newest; ++position) {
              const TokenState state = lane.state(position, newest);
              const bool kept = simulated.kept.contains(position);
              QCOMPARE(state == TokenState::evicted || state == TokenState::compressed, !kept);
              QCOMPARE(state == TokenState::newest, position == newest);
              QCOMPARE(lane.left_at(position, newest).value_or(-1), kept ? -1 : left.at(position));
            }
          }
        }
  }

  void faults_by_hand() {
    const DecodeLane lane{.sizes = {.policy = CachePolicy::window, .window = 4}, .prompt = 5, .padded = 8, .steps = 9};
    const Index newest = lane.newest(3);  // 7
    QCOMPARE(given_position(lane, DecodeFault::none, newest, newest), Index{7});
    QCOMPARE(given_position(lane, DecodeFault::restart, newest, newest), Index{2});
    QCOMPARE(given_position(lane, DecodeFault::shared, newest, newest), Index{10});
    QCOMPARE(given_position(lane, DecodeFault::ahead, newest, newest), Index{8});
    QCOMPARE(given_position(lane, DecodeFault::renumbered, newest, newest), Index{3});
    for (const DecodeFaultInfo& info : decode_fault_infos()) {
      QCOMPARE(given_position(lane, info.fault, 4, newest), Index{4});  // of the prompt
      QVERIFY(fault_sentence(lane, info.fault, lane.newest(0)).empty() || info.fault == DecodeFault::renumbered);
    }
    QVERIFY(reads_wrong_distance(lane, DecodeFault::restart, 4, newest));
    QVERIFY(!reads_wrong_distance(lane, DecodeFault::restart, 6, newest));  // both restarted
    QVERIFY(!reads_wrong_distance(lane, DecodeFault::restart, 2, newest));  // evicted
    QCOMPARE(row_of(*trace({{"lengths", std::vector<Index>{3}},
                            {"steps", Index{4}},
                            {"step", Index{2}},
                            {"policy", std::string("full")},
                            {"fault", std::string("restart")}}),
                    0),
             std::string("!!!#N.."));
    QCOMPARE(row_of(*trace({{"lengths", std::vector<Index>{3}},
                            {"steps", Index{4}},
                            {"step", Index{2}},
                            {"policy", std::string("full")},
                            {"fault", std::string("empty_visible")}}),
                    0),
             std::string("####N!!"));
  }

  /// Lane 1 takes block 4 at step 1 and block 6 at step 3, lane 0 takes block 5 at step 2.
  void blocks_by_hand() {
    const auto tokens = trace(paged_lanes("none", 3));
    QCOMPARE(row_of(*tokens, 0), std::string("p#####N....."));
    QCOMPARE(row_of(*tokens, 1), std::string("######N....."));
    QCOMPARE(PagedCache(batch_of(paged_lanes("none", 3))).table_text(1), std::string("2, 3, 4, 6"));
    Map in_slots = paged_lanes("none", 3);
    in_slots["columns"] = std::string("slots");
    const auto field = trace(in_slots);
    QCOMPARE(row_of(*field, 0), std::string("####pppppp#Npp.........."));
    QCOMPARE(row_of(*field, 1), std::string("pppp######ppN..........."));
    const CellReport report = field->report(0, 6);
    COMPARE_TEXT(report.why, "the block belongs to lane 1");
  }

  /// Position 6 of lane 1 is written over position 4 of lane 0, that over position 4 of lane 1, and
  /// that over position 0 of lane 0.
  void stale_tables_by_hand() {
    const Map set = paged_lanes("stale_table", 3);
    const auto field = trace(set);
    QCOMPARE(row_of(*field, 0), std::string("p!!##!N....."));
    QCOMPARE(row_of(*field, 1), std::string("####!!N....."));
    const CellReport report = field->report(0, 1);
    COMPARE_TEXT(report.why, "slot 0 holds position 6 of lane 1");
    QCOMPARE(report.facts[2].second, std::string("overwritten"));
    COMPARE_TEXT(decode_remark(default_values(decode_trace_method().parameters, set), {}),
                 "lane 0 reads position 0 from block 0, where position 6 of lane 1 is; found by vqscope check --set "
                 "mask=bidirectional --objective causal --set q_length=1 --set past_len=5 --array "
                 "cache_positions=-1,-1,2,3,-1,5");
    QVERIFY(row_of(*trace(paged_lanes("stale_table", 0)), 0).find('!') == std::string::npos);
  }

  /// Lane 0 ends at step 1. Lane 1 takes its block 1 at step 3 and its block 0 at step 5, into which
  /// lane 0, if it goes on, writes position 8 at step 6.
  void lanes_that_have_ended() {
    const auto ended = [](const char* fault, Index step, const char* columns) {
      Map set = paged_lanes(fault, step);
      set["new_tokens"] = std::vector<Index>{1, 8};
      set["columns"] = std::string(columns);
      return set;
    };
    QCOMPARE(row_of(*trace(ended("none", 1, "tokens")), 0), std::string("p###N......."));
    const auto tokens = trace(ended("none", 3, "tokens")), in_slots = trace(ended("none", 3, "slots"));
    QCOMPARE(row_of(*tokens, 0), std::string("peeeeppppppp"));
    QCOMPARE(row_of(*tokens, 1), std::string("######N....."));
    QCOMPARE(row_of(*in_slots, 0), std::string("..pppppppp.."));
    QCOMPARE(row_of(*in_slots, 1), std::string("..N.######.."));
    COMPARE_TEXT(tokens->report(0, 2).why, "the lane has ended after 1 new token: it neither reads nor writes");
    const auto wrong = trace(ended("ended_writes", 6, "tokens"));
    QCOMPARE(row_of(*wrong, 0), std::string("p!!!!!!!!!.."));
    QCOMPARE(row_of(*wrong, 1), std::string("########!N.."));
    const auto remark = [&](const char* fault, Index step) {
      return decode_remark(default_values(decode_trace_method().parameters, ended(fault, step, "tokens")), {});
    };
    COMPARE_TEXT(remark("ended_writes", 3),
                 "lane 0: the lane has ended after 1 new token but goes on reading and writing");
    QVERIFY(remark("ended_writes", 6)
                .starts_with("lane 1 reads position 8 from block 0, where position 8 of lane 0 is; found by "));
    COMPARE_TEXT(remark("ended_writes", 1), "this fault has no effect at this step");
  }

  /// No two lanes share a slot, and every lane that has not ended finds all of its tokens.
  void every_token_has_a_slot() {
    for (Index block_size = 1; block_size <= 5; ++block_size)
      for (Index step = 0; step <= 20; ++step) {
        const DecodeBatch batch = batch_of({{"lengths", std::vector<Index>{3, 9, 1, 6}},
                                            {"new_tokens", std::vector<Index>{4, 20, 0, 11}},
                                            {"steps", Index{20}},
                                            {"step", step},
                                            {"policy", std::string("paged")},
                                            {"block_size", block_size}});
        const PagedCache cache(batch);
        std::set<Index> taken;
        for (std::size_t i = 0; i < batch.lanes.size(); ++i) {
          const Index lane = static_cast<Index>(i), newest = batch.newest(batch.lanes[i]);
          for (Index position = 0; position <= newest && !batch.lanes[i].has_ended(step); ++position) {
            QVERIFY(cache.holds(lane, position));
            QVERIFY(taken.insert(cache.slot(lane, position)).second);
            QCOMPARE(cache.position_in(lane, cache.slot(lane, position)), std::optional(position));
            QVERIFY(cache.slot(lane, position) < cache.slot_count());
          }
        }
      }
  }

  /// Where nothing is wrong, and RoPE does not change with the length, cached keys give the right
  /// score.
  void scores_without_fault() {
    const auto set = make_curves(decode_scores_method(), decode_values({{"step", Index{20}}})).value();
    for (std::size_t i = 0; i < set.x.size(); ++i) QVERIFY(std::abs(set.curves[2].y[i]) < 1e-9);
    QCOMPARE(set.curves[0].y.back(), 64.0);  // itself: cos 0 of 64 pairs
  }

  /// One pair, theta whatever: cos of the distance in radians.
  void scores_by_hand() {
    const DecodeLane lane{.sizes = {}, .prompt = 3, .padded = 3, .steps = 9};
    const RopeScaling one{.head_dim = 2};
    const CachedScores restart(lane, one, DecodeFault::restart, 5);
    QVERIFY(std::abs(restart.right(1) - std::cos(4.0)) < 1e-12);
    QVERIFY(std::abs(restart.as_decoded(1) - std::cos(2.0 - 1.0)) < 1e-12);
    QVERIFY(std::abs(restart.as_decoded(4) - std::cos(1.0)) < 1e-12);
  }

  /// Dynamic NTK: beyond the training length keys keep the base of their time; up to it nothing is
  /// wrong.
  void bases_that_change() {
    const auto largest = [](const char* type, Index step) {
      const auto set =
          make_curves(decode_scores_method(), decode_values({{"lengths", std::vector<Index>{30}},
                                                             {"steps", Index{100}},
                                                             {"step", step},
                                                             {"policy", std::string("full")},
                                                             {"rope_type", std::string(type)},
                                                             {"original_max_position_embeddings", Index{64}}}))
              .value();
      return set.facts.front().second;
    };
    for (const char* type : {"dynamic", "longrope"}) {
      QVERIFY(largest(type, 34) < 1e-9);  // 64 tokens
      QVERIFY(largest(type, 60) > 0.1);
    }
    QVERIFY(largest("linear", 60) < 1e-9);
  }

  void many_steps() {
    const auto field = trace({{"lengths", std::vector<Index>{4096, 100}},
                              {"steps", Index{100000}},
                              {"step", Index{99999}},
                              {"policy", std::string("sinks")}});
    QCOMPARE(field->extent().cols, Index{104096});
    QCOMPARE(field->at(0, 104094), double(static_cast<int>(TokenState::newest)));
    QCOMPARE(field->at(1, 103994), double(static_cast<int>(TokenState::evicted)));
    const CellReport report = field->report(0, 3);
    QVERIFY2(report.why.starts_with("position 3 is before 104087"), report.why.c_str());
  }

  void bad_input() {
    const auto refused = [](const Map& set) { return make_curves(decode_scores_method(), decode_values(set)); };
    COMPARE_ERROR(refused({{"lengths", std::vector<Index>{}}}),
                  "lengths is empty but must have the prompt length of at least one lane");
    COMPARE_ERROR(refused({{"lengths", std::vector<Index>(65, 3)}}), "lengths has 65 lanes but must have at most 64");
    COMPARE_ERROR(refused({{"new_tokens", std::vector<Index>{3}}}),
                  "new_tokens has 1 entries but must have 3, one for each lane");
    COMPARE_ERROR(refused({{"policy", std::string("paged")}, {"steps", Index{500000}}}),
                  "lengths and steps need 1500036 slots in blocks of 4 but must need at most 1048576");
    COMPARE_ERROR(refused({{"lane", Index{3}}}), "lane is 3 but must be 0 to 2, one of the lengths");
  }
};

VQSCOPE_TEST(DecodeTest)
#include "decode_test.moc"
