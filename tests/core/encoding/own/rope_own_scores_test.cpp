// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/own/rotated_pair.h"
#include "core/io/npy/npy_writer.h"
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Set = ParameterValues::Map;

const char* const id = "rope_own_scores";

std::shared_ptr<const Field> scores(const Set& set) {
  const auto field = relative_result(id, set);
  return field ? *field : nullptr;
}

std::string refusal(const Set& set) {
  const auto field = relative_result(id, set);
  return field ? "" : field.error().message;
}

Set small(Set more) {
  more.insert({{"q_length", Index{6}}, {"head_dim", Index{8}}});
  return more;
}

/// A little-endian float32 file [rows, cols].
void write_npy(const QString& path, Index rows, Index cols, const std::vector<float>& numbers) {
  QByteArray header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + QByteArray::number(qint64(rows)) + ", " +
                      QByteArray::number(qint64(cols)) + "), }";
  while ((header.size() + 11) % 64 != 0) header += ' ';
  header += '\n';
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QByteArray("\x93NUMPY\x01\x00", 8));
  file.putChar(static_cast<char>(header.size() % 256));
  file.putChar(static_cast<char>(header.size() / 256));
  file.write(header);
  file.write(reinterpret_cast<const char*>(numbers.data()), static_cast<qint64>(4 * numbers.size()));
}

}  // namespace

class RopeOwnScoresTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Two ones, turned by one radian a position: 2 cos(distance).
  void one_pair_by_hand() {
    const auto field = scores({{"q_length", Index{5}}, {"head_dim", Index{2}}, {"vectors", std::string("ones")}});
    QCOMPARE(field->extent(), (Extent{5, 5}));
    for (Index row = 0; row < 5; ++row)
      for (Index col = 0; col < 5; ++col)
        QVERIFY(close(field->at(row, col), 2 * std::cos(static_cast<double>(row - col))));
  }

  /// For vectors of ones, every scaling scores twice the sum of cosines, in either layout.
  void ones_are_twice_the_score_field() {
    for (const RopeType& type : rope_types())
      for (const char* layout : {"half_split", "interleaved", "head_split"}) {
        const Set set{{"q_length", Index{9}}, {"past_len", Index{3}}, {"rope_type", type.id}, {"head_dim", Index{12}}};
        Set own = set;
        own["vectors"] = std::string("ones");
        own["pair_layout"] = std::string(layout);
        const auto mine = scores(own);
        const auto field = *relative_result("rope_score_field", set);
        for (Index row = 0; row < 9; ++row)
          for (Index col = 0; col < 12; ++col)
            QVERIFY2(std::abs(mine->at(row, col) - 2 * field->at(row, col)) < 1e-9, type.id.c_str());
      }
  }

  /// (R_m q)·(R_n k) = q·R_(n-m) k, for sampled vectors, odd heads, partial rotation and any
  /// scaling.
  void only_the_distance_counts() {
    Random random(3);
    for (int round = 0; round < 60; ++round) {
      const auto& type = rope_types()[static_cast<std::size_t>(round) % rope_types().size()];
      const Index dims = pick(random, 7, 24);
      Set set{{"q_length", pick(random, 1, 12)},
              {"past_len", pick(random, 0, 5)},
              {"rope_type", type.id},
              {"head_dim", dims},
              {"seed", pick(random, 0, 99)},
              {"pair_layout", std::string(round % 2 == 0 ? "half_split" : "interleaved")},
              {"vectors", std::string(round % 3 == 0 ? "same" : "sampled")}};
      if (round % 4 == 0) set["rotary_dim"] = Index{4};
      const auto setting = rotary_setting(relative_values(id, set));
      QVERIFY2(setting, setting ? "" : setting.error().message.c_str());
      QVERIFY(shift_error(*setting, pick(random, -100000, 2000000)) < 1e-10);
      if (round % 3 == 0) QVERIFY(spread_by_distance(*setting) < 1e-11);
    }
  }

  void own_vectors_at_their_distance() {
    const auto field = scores(small({{"vectors", std::string("same")}}));
    QVERIFY(close(field->at(2, 1), field->at(5, 4)));
    const auto sampled = scores(small({{"vectors", std::string("sampled")}}));
    QVERIFY(std::abs(sampled->at(2, 1) - sampled->at(5, 4)) > 1e-3);
  }

  void a_rotated_vector_by_hand() {
    const Rotation half({.head_dim = 4}, PairLayout::half_split), pairs({.head_dim = 4}, PairLayout::interleaved);
    const std::vector<double> x{1, 2, 3, 4};
    std::vector<double> out(4);
    const double c = std::cos(5.0), s = std::sin(5.0), c2 = std::cos(0.05), s2 = std::sin(0.05);
    half.apply(x, 5, out);
    for (std::size_t i = 0; i < 4; ++i)
      QVERIFY(close(out[i], std::vector{c - 3 * s, 2 * c2 - 4 * s2, 3 * c + s, 4 * c2 + 2 * s2}[i]));
    pairs.apply(x, 5, out);
    for (std::size_t i = 0; i < 4; ++i)
      QVERIFY(close(out[i], std::vector{c - 2 * s, 2 * c + s, 3 * c2 - 4 * s2, 4 * c2 + 3 * s2}[i]));
    Rotation({.head_dim = 4, .rotary_dim = 2}, PairLayout::head_split).apply(x, 5, out);
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(close(out[i], std::vector{c - 3 * s, 2.0, 3 * c + s, 4.0}[i]));
  }

  /// One number for all dimensions is what rope_with_bias adds; a vector has its own.
  void biases() {
    const Set set{{"q_length", Index{8}}, {"head_dim", Index{6}}, {"vectors", std::string("ones")}};
    Set biased = set;
    biased["q_bias_vector"] = std::vector<double>{2};
    biased["k_bias_vector"] = std::vector<double>(6, -0.5);
    const double expected = value_at("rope_with_bias", -5, {{"head_dim", Index{6}}, {"q_bias", 2.0}, {"k_bias", -0.5}});
    QVERIFY(close(scores(biased)->at(6, 1), 2 * expected));
    biased["k_bias_vector"] = std::vector<double>{1, 2};
    COMPARE_TEXT(refusal(biased),
                 "k_bias_vector has 2 numbers but must have 6, one per dimension, or one for all, or none");
  }

  void positions_of_ones_own() {
    const auto ones = [](Set set) {
      set.insert({{"q_length", Index{3}}, {"head_dim", Index{2}}, {"vectors", std::string("ones")}});
      return set;
    };
    const auto field = scores(
        ones({{"q_position_ids", std::vector<Index>{7, 0, 2}}, {"k_position_ids", std::vector<Index>{1, 1, 9}}}));
    QVERIFY(close(field->at(0, 0), 2 * std::cos(6.0)));
    QVERIFY(close(field->at(2, 2), 2 * std::cos(7.0)));
    COMPARE_TEXT(refusal(ones({{"k_position_ids", std::vector<Index>{1}}})),
                 "k_position_ids has 1 items but must have kv_length = 3, one per token, or none");
  }

  /// Effect of wrong lookups on the distance between query 0 (position 4) and key 1, and to a new
  /// key.
  void wrong_lookups() {
    const auto at = [](const char* error, Index row, Index col, const char* shown = "scores") {
      return scores({{"q_length", Index{2}},
                     {"past_len", Index{4}},
                     {"head_dim", Index{2}},
                     {"vectors", std::string("ones")},
                     {"position_error", std::string(error)},
                     {"shown", std::string(shown)}})
          ->at(row, col);
    };
    const auto score = [](double distance) { return 2 * std::cos(distance); };
    QVERIFY(close(at("none", 0, 1), score(3)));
    QVERIFY(close(at("restarted", 0, 1), score(-1)) && close(at("restarted", 1, 5), score(0)));
    QVERIFY(close(at("queries_restarted", 1, 5), score(-4)));
    QVERIFY(close(at("past_len_twice", 0, 1), score(7)));
    QVERIFY(close(at("past_len_twice", 0, 1, "error"), score(7) - score(3)));
    QVERIFY(close(at("keys_by_column", 0, 1), score(3)));
  }

  void an_odd_head_gets_a_zero() {
    const auto field = scores({{"q_length", Index{4}}, {"head_dim", Index{3}}, {"vectors", std::string("ones")}});
    // Pairs (0, 2) and (1, dummy): 2 cos d + cos(0.01 d).
    QVERIFY(close(field->at(3, 1), 2 * std::cos(2.0) + std::cos(0.02)));
    QVERIFY(has_text(field->report(3, 1).why, "a zero was added to the odd head"));
  }

  void tensors() {
    const QTemporaryDir folder;
    const QString q = folder.filePath("q.npy"), k = folder.filePath("k.npy");
    write_npy(q, 2, 2, {1, 0, 0, 1});
    write_npy(k, 3, 2, {1, 0, 1, 0, 1, 0});
    const Set set{{"vectors", std::string("tensors")},
                  {"q_tensor", q.toStdString()},
                  {"k_tensor", k.toStdString()},
                  {"q_length", Index{2}},
                  {"kv_length", Index{3}},
                  {"past_len", Index{1}}};
    const auto field = scores(set);
    QVERIFY(field);
    QVERIFY(close(field->at(0, 2), std::cos(-1.0)));  // (1, 0) at 1 and (1, 0) at 2
    QVERIFY(close(field->at(1, 0), -std::sin(2.0)));  // (0, 1) at 2 is (-sin 2, cos 2), and (1, 0) at 0
    Set more = set;
    more["q_length"] = Index{3};
    QVERIFY(has_text(refusal(more), "is [2, 2] but must have at least q_length = 3 rows"));
    write_npy(k, 3, 1, {1, 1, 1});
    QVERIFY(has_text(refusal(set), "both must have the same number of dimensions"));
    more = set;
    more["q_tensor"] = std::string();
    COMPARE_TEXT(refusal(more), "q_tensor is empty but must name a tensor: FILE or FILE:NAME[layer,head]");
  }

  /// Head 1 of q [2, T, 2] with the one head of k.
  void one_head_of_tensors() {
    const QTemporaryDir folder;
    const QString q = folder.filePath("q.npy"), k = folder.filePath("k.npy");
    StringSink bytes;
    QVERIFY(vqscope::write_npy(std::vector<Index>{2, 3, 2}, std::vector<float>{9, 9, 9, 9, 9, 9, 1, 0, 1, 0, 1, 0},
                               bytes, {}));
    QFile file(q);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(bytes.text()));
    file.close();
    write_npy(k, 3, 2, {1, 0, 1, 0, 1, 0});
    const Set set{{"vectors", std::string("tensors")},
                  {"q_tensor", q.toStdString()},
                  {"k_tensor", k.toStdString()},
                  {"q_length", Index{3}},
                  {"head", Index{1}}};
    const auto field = scores(set);
    QVERIFY2(field, refusal(set).c_str());
    QVERIFY(close(field->at(2, 0), std::cos(2.0)));
    Set more = set;
    more["head"] = Index{2};
    QVERIFY(has_text(refusal(more), "is [2, 3, 2]: head must be 0 to 1"));
  }

  void remarks_and_facts() {
    const Method& method = *find_method(encoding_methods(), id);
    const std::string remark = method.remark(relative_values(id, small({{"vectors", std::string("same")}})), {});
    QVERIFY2(remark.starts_with("Adding 1000 to all positions changes no score by more than "), remark.c_str());
    QVERIFY(has_text(remark, "V is not rotated. Scores at equal distances differ by at most "));
    const auto facts = scores(small({}))->facts({});
    QCOMPARE(facts[0].first, std::string("shift_error"));
    QVERIFY(facts[0].second < 1e-11);
  }

  void limits() {
    QVERIFY(has_text(refusal({{"q_length", Index{1} << 30}, {"vectors", std::string("tensors")}}),
                     "must be at most 33554432"));
    std::stop_source stopped;
    stopped.request_stop();
    const Method& method = *find_method(encoding_methods(), id);
    const auto field = make_field(method, relative_values(id, {}), {.progress = {}, .stop = stopped.get_token()});
    QVERIFY(!field && field.error().code == Errc::cancelled);
    QVERIFY(has_text(refusal({{"q_length", Index{1} << 20}}), "are 268435456 numbers but must be at most 33554432"));
  }

 private:
  static bool has_text(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
};

VQSCOPE_TEST(RopeOwnScoresTest)
#include "rope_own_scores_test.moc"
