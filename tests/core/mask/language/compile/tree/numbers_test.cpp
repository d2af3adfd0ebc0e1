// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic and known functions, by cell and of known numbers, against definitions in C++.
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/random.h"
#include "tests/core/mask/language/compile/tree/text_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Python's.
Index floor_of(Index a, Index b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }
Index modulo(Index a, Index b) { return a - floor_of(a, b) * b; }

std::string number_truth(const std::string& expression) { return cells_of(mask_of("return " + expression), 1); }

}  // namespace

class NumbersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void operators_by_cell() {
    for (const TextCase& one : std::vector<TextCase>{
             {mask_of("return (kv_idx - q_idx) // 3 == -1"),
              [](Index q, Index kv) { return floor_of(kv - q, 3) == -1; }},
             {mask_of("return (kv_idx - q_idx) % 4 == 1"), [](Index q, Index kv) { return modulo(kv - q, 4) == 1; }},
             {mask_of("return (q_idx - kv_idx) // -2 > 0"), [](Index q, Index kv) { return floor_of(q - kv, -2) > 0; }},
             {mask_of("return (q_idx - kv_idx) % -3 == -2"),
              [](Index q, Index kv) { return modulo(q - kv, -3) == -2; }},
             {mask_of("return q_idx ** 2 - kv_idx ** 2 <= 9"), [](Index q, Index kv) { return q * q - kv * kv <= 9; }},
             {mask_of("return (q_idx ^ kv_idx) & 3 == 0"), [](Index q, Index kv) { return ((q ^ kv) & 3) == 0; }},
             {mask_of("return (q_idx | 1) == (kv_idx | 1)"), [](Index q, Index kv) { return (q | 1) == (kv | 1); }},
             {mask_of("return q_idx >> 2 == kv_idx >> 2"), [](Index q, Index kv) { return q >> 2 == kv >> 2; }},
             {mask_of("return kv_idx << 1 <= q_idx"), [](Index q, Index kv) { return kv << 1 <= q; }},
             {mask_of("return ~kv_idx + q_idx >= 0"), [](Index q, Index kv) { return -kv - 1 + q >= 0; }},
             {mask_of("return -kv_idx + +q_idx < 2"), [](Index q, Index kv) { return q - kv < 2; }},
             {mask_of("return 1 < kv_idx <= q_idx < 9"), [](Index q, Index kv) { return 1 < kv && kv <= q && q < 9; }},
             {mask_of("return ~(kv_idx > q_idx)"), [](Index q, Index kv) { return kv <= q; }},
             {mask_of("return (kv_idx > q_idx) ^ (kv_idx % 2 == 0)"),
              [](Index q, Index kv) { return (kv > q) != (kv % 2 == 0); }},
             {mask_of("return (kv_idx > q_idx) + (kv_idx % 2 == 0)"),
              [](Index q, Index kv) { return kv > q || kv % 2 == 0; }},
             {mask_of("return (kv_idx > q_idx).int() + (kv_idx % 2 == 0).int() == 2"),
              [](Index q, Index kv) { return kv > q && kv % 2 == 0; }},
             {mask_of("return (kv_idx <= q_idx) * (kv_idx < 3)"), [](Index q, Index kv) { return kv <= q && kv < 3; }},
             {mask_of("return q_idx / 2 >= kv_idx"), [](Index q, Index kv) { return q >= 2 * kv; }},
             {mask_of("return q_idx * 0.75 > kv_idx"), [](Index q, Index kv) { return 3 * q > 4 * kv; }},
             {mask_of("return kv_idx not in (0, q_idx)"), [](Index q, Index kv) { return kv != 0 && kv != q; }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void functions_by_cell() {
    for (const TextCase& one : std::vector<TextCase>{
             {mask_of("return abs(q_idx - kv_idx) < 3"), [](Index q, Index kv) { return std::abs(q - kv) < 3; }},
             {mask_of("return torch.minimum(q_idx, torch.tensor(4)) >= kv_idx"),
              [](Index q, Index kv) { return std::min<Index>(q, 4) >= kv; }},
             {mask_of("return torch.clamp(q_idx, 2, 5) >= kv_idx"),
              [](Index q, Index kv) { return std::clamp<Index>(q, 2, 5) >= kv; }},
             {mask_of("return q_idx.clamp(max=3) >= kv_idx"),
              [](Index q, Index kv) { return std::min<Index>(q, 3) >= kv; }},
             {mask_of("return torch.where(q_idx < 4, kv_idx == 0, kv_idx > 2)"),
              [](Index q, Index kv) { return q < 4 ? kv == 0 : kv > 2; }},
             {mask_of("return torch.remainder(kv_idx - q_idx, 3) == 2"),
              [](Index q, Index kv) { return modulo(kv - q, 3) == 2; }},
             {mask_of("return torch.div(q_idx - kv_idx, 4, rounding_mode='floor') == -1"),
              [](Index q, Index kv) { return floor_of(q - kv, 4) == -1; }},
             {mask_of("return torch.div(q_idx - kv_idx, 4, rounding_mode='trunc') == 0"),
              [](Index q, Index kv) { return (q - kv) / 4 == 0; }},
             {mask_of("return math.floor(q_idx / 3) >= kv_idx"), [](Index q, Index kv) { return q / 3 >= kv; }},
             {mask_of("return math.ceil(q_idx / 3) >= kv_idx"), [](Index q, Index kv) { return (q + 2) / 3 >= kv; }},
             {mask_of("return int((q_idx - kv_idx) / 2) == 0"), [](Index q, Index kv) { return (q - kv) / 2 == 0; }},
             {mask_of("return bool(kv_idx) and q_idx >= kv_idx"), [](Index q, Index kv) { return kv != 0 && q >= kv; }},
             {mask_of("return torch.logical_and(q_idx >= kv_idx, torch.logical_not(kv_idx == 1))"),
              [](Index q, Index kv) { return q >= kv && kv != 1; }},
             {mask_of("return kv_idx.le(q_idx) & kv_idx.ne(2)"), [](Index q, Index kv) { return kv <= q && kv != 2; }},
             {mask_of("return torch.isin(kv_idx, torch.tensor([1, 4]))"),
              [](Index, Index kv) { return kv == 1 || kv == 4; }},
             {mask_of("return torch.bucketize(kv_idx, torch.tensor([2, 5])) == 1"),
              [](Index, Index kv) { return 2 < kv && kv <= 5; }},
             {mask_of("return torch.searchsorted(torch.tensor([2, 5]), kv_idx, right=True) == 1"),
              [](Index, Index kv) { return 2 <= kv && kv < 5; }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  /// Each is known before any cell is looked at, as Python's own result.
  void known_numbers() {
    for (const char* expression : {"abs(-4) == 4",
                                   "min(3, 1, 2) == 1",
                                   "max([3, 1]) == 3",
                                   "divmod(-7, 2) == (-4, 1)",
                                   "pow(2, 10) == 1024",

                                   "int(7 / 2) == 3",
                                   "int(-7 / 2) == -3",
                                   "math.floor(-7 / 2) == -4",
                                   "math.ceil(-7 / 2) == -3",

                                   "math.sqrt(49) == 7",
                                   "math.isqrt(50) == 7",
                                   "math.log2(1024) == 10",
                                   "math.gcd(12, 18) == 6",

                                   "len([1, [2, 3]]) == 2",

                                   "2 ** 3 ** 2 == 512",
                                   "-2 ** 2 == -4",
                                   "7 // -2 == -4",
                                   "-7 % 3 == 2",
                                   "1 << 10 == 1024",
                                   "-9 >> 1 == -5",
                                   "~5 == -6",
                                   "6 & 3 == 2",
                                   "6 ^ 3 == 5",
                                   "1_000 == 1000",
                                   "0x1f == 31",
                                   "0b101 == 5",
                                   "True + True == 2",
                                   "(3 > 2) + 1 == 2",
                                   "not 0",
                                   "(1 and 3) == 3",
                                   "(0 or 4) == 4",
                                   "(5 if 2 > 3 else 6) == 6",
                                   "1 < 2 < 3",
                                   "'a' 'b' == 'ab'",
                                   "isinstance(3, int)",
                                   "sorted({3, 1, 2})[0] == 1",
                                   "tuple([1, 2]) == (1, 2)",
                                   "[1] + [2] == [1, 2]",
                                   "[0] * 3 == [0, 0, 0]",
                                   "range(3)[2] == 2",
                                   "[1, 2, 3][::-1] == [3, 2, 1]",
                                   "[1, 2, 3][-2:] == [2, 3]"})
      COMPARE_TEXT(std::string(expression) + " " + number_truth(expression), std::string(expression) + " 1");
  }

  /// Random numbers give by cell, as known numbers and in C++ the same.
  void by_cell_and_known_alike() {
    SeededRandom random(5);
    const auto at_most = [&](Index most) {
      return static_cast<Index>(random.bits() % static_cast<std::uint64_t>(most));
    };
    for (int i = 0; i < 60; ++i) {
      const Index a = at_most(2001) - 1000, b = (at_most(60) + 1) * (at_most(2) == 0 ? 1 : -1);
      const std::string x = to_text(a), y = to_text(b);
      const std::vector<std::pair<std::string, Index>> all{
          {"({} // {})", floor_of(a, b)},  {"({} % {})", modulo(a, b)}, {"({} - {})", a - b}, {"({} * {})", a * b},
          {"min({}, {})", std::min(a, b)}, {"({} & {})", a & b},        {"({} ^ {})", a ^ b}};
      for (const auto& [form, result] : all) {
        const auto with = [&, &form = form](const std::string& first, const std::string& second) {
          std::string text = form;
          text.replace(text.find("{}"), 2, "(" + first + ")");
          return text.replace(text.find("{}"), 2, "(" + second + ")");
        };
        COMPARE_TEXT(number_truth(with(x, y) + " == " + to_text(result)), "1");
        COMPARE_TEXT(number_truth(with(x + " + q_idx", y + " + kv_idx") + " == " + to_text(result)), "1");
      }
    }
  }

  void bad_numbers_are_refused() {
    using Refusals = std::vector<std::pair<std::string, std::string>>;
    for (const auto& [expression, message] :
         Refusals{{"math.sqrt(-1) == 1", "sqrt is not defined there"},
                  {"math.log2(0) == 1", "log2 is not defined there"},
                  {"kv_idx is 3", "is compares with None, True or False; compare numbers with =="},
                  {"kv_idx < None", "None cannot be ordered; test for it with is None"},
                  {"torch.clamp(kv_idx) == 1", "clamp takes a value and min, max or both"},
                  {"torch.isin(kv_idx) == 1", "isin takes a value and a list of integers"}})
      COMPARE_TEXT(refused_body("return " + expression), message);
  }
};

VQSCOPE_TEST(NumbersTest)
#include "numbers_test.moc"
