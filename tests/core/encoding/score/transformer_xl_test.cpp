// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/score/score_values.h"

#include "core/base/random.h"
#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <functional>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Matrix = std::vector<std::vector<double>>;

/// The four terms by the authors' steps: whole matrices, r by descending distance, shifted by
/// padding and viewing.
struct Reference {
  Matrix q, k, r;
  std::vector<double> u, v;
  TransformerXl xl;

  explicit Reference(const TransformerXl& of) : xl(of) {
    const auto draw = [&](std::uint64_t stream, Index count) {
      SeededRandom random(SeededRandom(xl.seed).bits() ^ stream);
      Matrix all(static_cast<std::size_t>(count), std::vector<double>(static_cast<std::size_t>(xl.d_head)));
      for (auto& vector : all)
        for (double& entry : vector) entry = random.normal();
      return all;
    };
    q = draw(0, xl.q_length);
    k = draw(1, xl.kv_length());
    u = draw(2, 1)[0];
    v = draw(3, 1)[0];
    for (Index place = xl.kv_length() - 1; place >= 0; --place) {
      const Index distance = xl.clamp_len > 0 ? std::min(place, xl.clamp_len) : place;
      std::vector<double> all;
      for (const bool sine : {true, false})
        for (Index i = 0; i < xl.d_head / 2; ++i) {
          const double angle = static_cast<double>(distance) *
                               std::pow(10000.0, -2 * static_cast<double>(i) / static_cast<double>(xl.d_head));
          all.push_back(sine ? std::sin(angle) : std::cos(angle));
        }
      r.push_back(std::move(all));
    }
  }

  double dot(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum / std::sqrt(static_cast<double>(xl.d_head));
  }

  Matrix products(const std::function<double(std::size_t, std::size_t)>& cell) const {
    Matrix all(q.size(), std::vector<double>(k.size()));
    for (std::size_t i = 0; i < q.size(); ++i)
      for (std::size_t j = 0; j < k.size(); ++j) all[i][j] = cell(i, j);
    return all;
  }

  static Matrix rel_shift(const Matrix& x) {
    std::vector<double> padded;
    for (const auto& row : x) {
      padded.push_back(0);
      padded.insert(padded.end(), row.begin(), row.end());
    }
    // As [kv_length + 1, q_length], without the first row, as [q_length, kv_length] again.
    padded.erase(padded.begin(), padded.begin() + static_cast<std::ptrdiff_t>(x.size()));
    Matrix shifted = x;
    std::size_t next = 0;
    for (auto& row : shifted)
      for (double& cell : row) cell = padded[next++];
    return shifted;
  }

  Matrix scores() const {
    const bool total = xl.term == XlTerm::total;
    const Matrix by_key = products([&](std::size_t i, std::size_t j) {
      return (total || xl.term == XlTerm::content ? dot(q[i], k[j]) : 0) +
             (total || xl.term == XlTerm::content_bias ? dot(u, k[j]) : 0);
    });
    const Matrix by_distance = rel_shift(products([&](std::size_t i, std::size_t j) {
      return (total || xl.term == XlTerm::position ? dot(q[i], r[j]) : 0) +
             (total || xl.term == XlTerm::position_bias ? dot(v, r[j]) : 0);
    }));
    Matrix all = by_key;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < all[i].size(); ++j) {
        all[i][j] += by_distance[i][j];
        if (!xl.future_as_code && static_cast<Index>(j) > static_cast<Index>(i) + xl.mem_len) all[i][j] = nan;
      }
    return all;
  }
};

const char* const terms[] = {"total", "content", "position", "content_bias", "position_bias"};

std::shared_ptr<const Field> xl_field(const TransformerXl& xl) {
  return table("transformer_xl_score", {{"q_length", xl.q_length},
                                        {"mem_len", xl.mem_len},
                                        {"d_head", xl.d_head},
                                        {"clamp_len", xl.clamp_len},
                                        {"term", std::string(terms[static_cast<int>(xl.term)])},
                                        {"future", std::string(xl.future_as_code ? "as_code" : "none")},
                                        {"seed", static_cast<Index>(xl.seed)}});
}

}  // namespace

class TransformerXlTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 3 queries and keys: products (row, distance) become, row by row, 2 1 0 | 2 1 0 | 2 1 0 with
  /// the shift 0 _ 2' | 1 0 _ | 2 1 0.
  void the_shift_by_hand() {
    const Matrix x{{2, 1, 0}, {12, 11, 10}, {22, 21, 20}};
    const Matrix wanted{{0, 0, 12}, {11, 10, 0}, {22, 21, 20}};
    QCOMPARE(Reference::rel_shift(x), wanted);
    const TransformerXl xl{.q_length = 3, .d_head = 4, .term = XlTerm::position_bias, .future_as_code = true};
    const Reference reference(xl);
    const auto field = xl_field(xl);
    QVERIFY(is_near(field->at(0, 0), reference.dot(reference.v, reference.r[2]), 1e-14));
    QCOMPARE(field->at(0, 1), 0.0);
    QVERIFY(is_near(field->at(0, 2), reference.dot(reference.v, reference.r[0]), 1e-14));
    QVERIFY(is_near(field->at(2, 0), reference.dot(reference.v, reference.r[0]), 1e-14));
  }

  void every_term_agrees_with_the_authors() {
    Random random(1);
    for (int i = 0; i < 60; ++i) {
      const TransformerXl xl{.q_length = pick(random, 1, 40),
                             .mem_len = pick(random, 0, 1) * pick(random, 0, 40),
                             .d_head = 2 * pick(random, 1, 12),
                             .clamp_len = pick(random, 0, 1) * pick(random, 1, 30),
                             .term = static_cast<XlTerm>(i % 5),
                             .future_as_code = pick(random, 0, 1) == 0,
                             .seed = static_cast<std::uint64_t>(i)};
      const auto field = xl_field(xl);
      QCOMPARE(field->extent(), (Extent{xl.q_length, xl.kv_length()}));
      const Matrix scores = Reference(xl).scores();
      const auto definition = [&](Index q, Index k) {
        return scores[static_cast<std::size_t>(q)][static_cast<std::size_t>(k)];
      };
      const auto wrong = table_differs(*field, random_tile_grid(random, field->extent()), definition, 1e-12) +
                         table_differs(*field, {{0, xl.q_length}, {0, xl.kv_length()}}, definition, 1e-12);
      QVERIFY2(wrong.empty(), wrong.c_str());
      const auto [low, high] = field->value_range();
      for (const auto& row : scores)
        for (const double cell : row) QVERIFY(std::isnan(cell) || (low <= cell && cell <= high));
    }
  }

  void terms_add_up() {
    double sum = 0;
    for (const char* term : terms)
      if (std::string_view(term) != "total")
        sum += table("transformer_xl_score", {{"term", std::string(term)}})->at(9, 4);
    QVERIFY(is_near(table("transformer_xl_score", {})->at(9, 4), sum, 1e-14));
  }

  void a_longer_sequence_begins_alike() {
    QCOMPARE(table("transformer_xl_score", {{"q_length", Index{900}}})->at(9, 4),
             table("transformer_xl_score", {{"q_length", Index{10}}})->at(9, 4));
  }

  void scores_are_of_the_order_of_1() {
    const auto field = table("transformer_xl_score", {{"future", std::string("as_code")}});
    std::vector<double> cells(512 * 512);
    field->read({{0, 512}, {0, 512}}, std::span(cells));
    double squares = 0;
    for (const double cell : cells) squares += cell * cell / static_cast<double>(cells.size());
    QVERIFY2(squares > 1 && squares < 6, qPrintable(QString::number(squares)));
  }

  void reports() {
    ParameterValues::Map set{{"q_length", Index{6}}, {"mem_len", Index{4}}};
    const auto none = table("transformer_xl_score", set);
    COMPARE_TEXT(none->report(2, 1).why, "k is 5 behind q: (q·k + q·r + u·k + v·r) / √64");
    QCOMPARE(none->report(2, 1).facts.size(), std::size_t{8});
    COMPARE_TEXT(none->report(2, 6).why, "k is q itself: (q·k + q·r + u·k + v·r) / √64");
    COMPARE_TEXT(none->report(2, 8).why, "k is 2 ahead of q, where the model has no score: its mask hides it");
    set["future"] = std::string("as_code");
    set["clamp_len"] = Index{3};
    const auto code = table("transformer_xl_score", set);
    COMPARE_TEXT(code->report(2, 1).why, "k is 5 behind q, which clamp_len takes for 3: (q·k + q·r + u·k + v·r) / √64");
    COMPARE_TEXT(
        code->report(2, 7).why,
        "k is 1 ahead of q, where the code's shift leaves its column of zeros: (q·k + u·k) / √64, for the mask "
        "to hide");
    COMPARE_TEXT(code->report(2, 9).why,
                 "k is 3 ahead of q, where the code's shift leaves r of distance 8 with query 3, for the mask to hide");
  }

  void errors() {
    COMPARE_ERROR(table_result("transformer_xl_score", {{"d_head", Index{5}}}), "d_head is 5 but must be even");
    COMPARE_ERROR(
        table_result("transformer_xl_score", {{"q_length", Index{1} << 31}, {"mem_len", Index{1} << 31}}),
        "q_length 2147483648, mem_len 2147483648 and d_head 64 need 5 TiB for q, k and r but must be at most 64 "
        "MiB");
    QVERIFY(table_result("transformer_xl_score", {{"q_length", Index{32768}}}));
    QVERIFY(!table_result("transformer_xl_score", {{"q_length", Index{65536}}}));
  }
};

VQSCOPE_TEST(TransformerXlTest)
#include "transformer_xl_test.moc"
