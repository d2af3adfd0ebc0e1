// SPDX-License-Identifier: GPL-3.0-or-later
// Elements and slices of lists, and what has a length.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <optional>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// slice(first, end, step).indices(size), as the reference of Python defines it.
std::vector<Index> python_slice(Index size, std::optional<Index> first, std::optional<Index> end, Index step) {
  const Index low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  const auto bound = [&](std::optional<Index> given, Index otherwise) {
    if (!given) return otherwise;
    return *given < 0 ? std::max(*given + size, low) : std::min(*given, high);
  };
  std::vector<Index> places;
  const Index stop = bound(end, step > 0 ? high : low);
  for (Index at = bound(first, step > 0 ? low : high); step > 0 ? at < stop : at > stop; at += step)
    places.push_back(at);
  return places;
}

}  // namespace

class ElementsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_by_hand() {
    const std::vector<RuledText> all{
        {"x = [2, 0, 1]\n"
         "return x[kv_idx % 3] <= q_idx",
         [](Index q, Index kv) {
           return std::array<Index, 3>{2, 0, 1}[static_cast<std::size_t>(kv % 3)] <= q;
         }},
        {"x = [2, 0, 1]\n"
         "return x[-1 - kv_idx % 3] == q_idx",
         [](Index q, Index kv) {
           return std::array<Index, 3>{1, 0, 2}[static_cast<std::size_t>(kv % 3)] == q;
         }},
        {"x = [1, 2, 3, 4][1:-1]\n"
         "return (len(x) == 2) & (kv_idx < x[0])",
         [](Index, Index kv) { return kv < 2; }},
        {"a, b, c = (q_idx, kv_idx, 0)\n"
         "return b <= a",
         [](Index q, Index kv) { return kv <= q; }},
        {"a, b = torch.tensor([[1, 2], [3, 4]])\n"
         "return kv_idx < (a + b)[0]",
         [](Index, Index kv) { return kv < 4; }},
        {"x = {'q': [q_idx, 1]}\n"
         "return kv_idx <= x['q'][0]",
         [](Index q, Index kv) { return kv <= q; }},
        {"pair = ((q_idx, 1), 2)\n"
         "a, c = pair\n"
         "return kv_idx <= a[0]",
         [](Index q, Index kv) { return kv <= q; }},
        {"x = torch.tensor([[0, 1], [2, 3]])\n"
         "return x[q_idx % 2, kv_idx % 2] < 2",
         [](Index q, Index) { return q % 2 == 0; }},
        {"x = torch.tensor([[0, 1, 5], [2, 3, 4]])\n"
         "return x[:, kv_idx % 3].sum() == 9",
         [](Index, Index kv) { return kv % 3 == 2; }},
    };
    for (const auto& [text, rule] : all)
      for (const Index length : {1, 2, 5, 9}) COMPARE_TEXT(cells_of(text, length), cells_by(rule, length));
  }

  /// Any slice of a list against the same of Python: places from first to end, negative ones from
  /// the back.
  void slices_agree_with_python() {
    Random random(51);
    for (int i = 0; i < 150; ++i) {
      const Index size = pick(random, 0, 6);
      std::vector<Index> all;
      for (Index k = 0; k < size; ++k) all.push_back(k + 10);
      const auto end = [&] {
        return pick(random, 0, 3) == 0 ? std::optional<Index>() : std::optional(pick(random, -8, 8));
      };
      const auto first = end(), last = end();
      const Index step = pick(random, 1, 3) * (pick(random, 0, 1) == 0 ? -1 : 1);
      std::vector<Index> wanted;
      for (const Index place : python_slice(size, first, last, step))
        wanted.push_back(all[static_cast<std::size_t>(place)]);
      const auto shown = [](std::optional<Index> number) { return number ? to_text(*number) : std::string(); };
      const std::string slice = "[" + shown(first) + ":" + shown(last) + ":" + to_text(step) + "]";
      const std::string same = "return (len(x) == " + to_text(static_cast<Index>(wanted.size())) +
                               ") & all([a == c for a, c in zip(x, " + list_text(wanted) + ")])";
      COMPARE_TEXT(cells_of("x = " + list_text(all) + slice + "\n" + same, 1), "1");
      COMPARE_TEXT(cells_of("x = torch.arange(10, " + to_text(10 + size) + ")" + slice + ".tolist()\n" + same, 1), "1");
    }
  }

  void bad_elements_are_errors() {
    COMPARE_TEXT(placed_error("x = [1, 2, 3]\n"
                              "return x[3] == q_idx"),
                 "line 2, column 8: a list of 3 is indexed with a number from 0 to 2, found 3");
    COMPARE_TEXT(placed_error("x = [1, 2, 3]\n"
                              "return x[-4] == q_idx"),
                 "line 2, column 8: a list of 3 is indexed with a number from 0 to 2, found -4");
    COMPARE_TEXT(placed_error("x = [1, 2]\n"
                              "return x[0, 1] == q_idx"),
                 "line 2, column 8: a list has one index; make an array of it with torch.tensor");
    COMPARE_TEXT(placed_error("return q_idx[0] == 1"),
                 "line 1, column 8: only an array can be indexed, and a name that is free in the text is one");
    COMPARE_TEXT(placed_error("x = [1, 2]\n"
                              "return x[::0] == q_idx"),
                 "line 2, column 8: the step of a slice must not be 0");
    COMPARE_TEXT(placed_error("return q_idx.shape[0] == 1"), "line 1, column 8: only an array has a shape");
    COMPARE_TEXT(placed_error("x = [q_idx, 2]\n"
                              "return x[kv_idx] == 1"),
                 "line 2, column 8: the values of a list that is indexed must be known integers");
    COMPARE_TEXT(placed_error("x = [[1, 2], [3, 4]]\n"
                              "return x[kv_idx] == 1"),
                 "line 2, column 8: arrays have one index here");
    COMPARE_TEXT(placed_error("return bucketize(q_idx, 3) == 1"), "line 1, column 25: an array is needed here");
    COMPARE_TEXT(placed_error("return torch.bucketize(q_idx, 3) == 1"), "line 1, column 31: an array is needed here");
    COMPARE_TEXT(placed_error("return torch.bucketize(q_idx, torch.ones(2, 2)) == 1"),
                 "line 1, column 31: a list of known numbers is needed here, this is an array of shape (2, 2)");
    COMPARE_TEXT(placed_error("x = [1, 2]\n"
                              "return x[:q_idx] == 1"),
                 "line 2, column 11: an integer is needed here that is known before any cell is evaluated");
  }
};

VQSCOPE_TEST(ElementsTest)
#include "elements_test.moc"
