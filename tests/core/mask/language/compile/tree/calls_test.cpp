// SPDX-License-Identifier: GPL-3.0-or-later
// Calls in mask texts: defaults, keywords, partial, questions about objects, joined masks.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class CallsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_by_hand() {
    const std::vector<RuledText> all{
        {"def f(i, j=2, k=3):\n"
         "    return i + j * k\n"
         "return kv_idx < f(q_idx, k=1)",
         [](Index q, Index kv) { return kv < q + 2; }},
        {"def f(i, *rest):\n"
         "    return i + sum(rest) + len(rest)\n"
         "return kv_idx < f(q_idx, 1, 2)",
         [](Index q, Index kv) { return kv < q + 5; }},
        {"def f(i, j):\n"
         "    return i - j\n"
         "x = [q_idx, kv_idx]\n"
         "return f(*x) >= 1",
         [](Index q, Index kv) { return q - kv >= 1; }},
        {"def f(i, j):\n"
         "    return i - j\n"
         "d = {'j': q_idx, 'i': kv_idx}\n"
         "return f(**d) >= 1",
         [](Index q, Index kv) { return kv - q >= 1; }},
        {"f = partial(lambda w, q, k: q - k < w, 3)\n"
         "return f(q_idx, kv_idx)",
         [](Index q, Index kv) { return q - kv < 3; }},
        {"f = partial(lambda q, k, w: q - k < w, w=2)\n"
         "return f(q_idx, kv_idx)",
         [](Index q, Index kv) { return q - kv < 2; }},
        {"fs = [lambda x: x + i for i in range(3)]\n"
         "return kv_idx < fs[0](q_idx)",
         [](Index q, Index kv) { return kv < q + 2; }},
        {"fs = [lambda x, i=i: x + i for i in range(3)]\n"
         "return kv_idx < fs[0](q_idx)",
         [](Index q, Index kv) { return kv < q; }},
        {"def outer(w):\n"
         "    def inner(q, k):\n"
         "        return q - k < w\n"
         "    return inner\n"
         "return outer(1)(q_idx, kv_idx) | outer(3)(kv_idx, q_idx)",
         [](Index q, Index kv) { return q - kv < 1 || kv - q < 3; }},
        {"f = (lambda x: x + 1) if q_idx > 2 else (lambda x: x - 1)\n"
         "return kv_idx <= f(q_idx)",
         [](Index q, Index kv) { return kv <= (q > 2 ? q + 1 : q - 1); }},
        {"def a(b, h, q_idx, kv_idx):\n"
         "    return kv_idx <= q_idx\n"
         "def w(b, h, q_idx, kv_idx):\n"
         "    return q_idx - kv_idx < 2\n"
         "mask = or_masks(and_masks(a, w), lambda b, h, q, k: k == 0)",
         [](Index q, Index kv) { return (kv <= q && q - kv < 2) || kv == 0; }},
        {"cfg = SimpleNamespace(window=2, sink=1)\n"
         "return (q_idx - kv_idx < cfg.window) | (kv_idx < getattr(cfg, 'sink'))",
         [](Index q, Index kv) { return q - kv < 2 || kv < 1; }},
        {"cfg = SimpleNamespace(window=2)\n"
         "n = cfg.window if hasattr(cfg, 'window') else 9\n"
         "m = getattr(cfg, 'sink', 1)\n"
         "return (q_idx - kv_idx < n) & (kv_idx >= m)",
         [](Index q, Index kv) { return q - kv < 2 && kv >= 1; }},
        {"kind = 'Causal '\n"
         "return kv_idx <= q_idx if kind.strip().lower() == 'causal' else False",
         [](Index q, Index kv) { return kv <= q; }},
        {"kind = 'sliding_window'\n"
         "n = 2 if kind.startswith('sliding') and kind.endswith('window') else 9\n"
         "return q_idx - kv_idx < n",
         [](Index q, Index kv) { return q - kv < 2; }},
        {"def f(x):\n"
         "    return x[0] if isinstance(x, (list, tuple)) else x\n"
         "return (kv_idx < f([2, 5])) | (kv_idx == f(q_idx))",
         [](Index q, Index kv) { return kv < 2 || kv == q; }},
        {"import functools\n"
         "return functools.reduce(lambda a, c: a | (kv_idx == c), [q_idx, 0], False)",
         [](Index q, Index kv) { return kv == q || kv == 0; }},
        {"mask = create_block_mask(lambda b, h, q, k: k <= q, None, None, 8, 8)",
         [](Index q, Index kv) { return kv <= q; }},
        {"def get():\n"
         "    return q_idx, kv_idx\n"
         "q, k = get()\n"
         "return divmod(q, 3)[0] == divmod(k, 3)[0]",
         [](Index q, Index kv) { return q / 3 == kv / 3; }},
    };
    for (const auto& [text, rule] : all)
      for (const Index length : {1, 2, 5, 9}) COMPARE_TEXT(cells_of(text, length), cells_by(rule, length));
  }

  void isinstance_distinguishes_types() {
    for (const char* text :
         {"isinstance(3, int)", "isinstance(True, bool)", "isinstance(True, int)", "not isinstance(3, bool)",
          "isinstance(1 / 2, float)", "isinstance([1], list)", "isinstance({1: 2}, dict)", "isinstance('a', str)",
          "isinstance(torch.arange(2), torch.Tensor)", "not isinstance([1], (int, str))", "callable(lambda x: x)",
          "not callable(3)"})
      COMPARE_TEXT(cells_of(std::string("return True if ") + text + " else False", 1), "1");
  }

  /// and_masks and or_masks are & and | of what the functions give, in whatever order.
  void joined_masks_are_joined_cells() {
    Random random(31);
    for (int i = 0; i < 10; ++i) {
      const std::string w = to_text(pick(random, 1, 5)), s = to_text(pick(random, 0, 4));
      const Index length = pick(random, 1, 9);
      const std::string near = "q_idx - kv_idx < " + w, sink = "kv_idx < " + s;
      const std::string both =
          "a = lambda b, h, q_idx, kv_idx: " + near + "\nc = lambda b, h, q_idx, kv_idx: " + sink + "\n";
      COMPARE_TEXT(cells_of(both + "and_masks(a, c)", length), cells_of("(" + near + ") & (" + sink + ")", length));
      COMPARE_TEXT(cells_of(both + "or_masks(c, a)", length), cells_of("(" + near + ") | (" + sink + ")", length));
      COMPARE_TEXT(cells_of(both + "or_masks(and_masks(a), and_masks(c, a))", length), cells_of(near, length));
    }
  }

  void bad_calls_are_errors() {
    COMPARE_TEXT(
        placed_error("x = 3\n"
                     "return x(q_idx) == 1"),
        "line 2, column 8: x is a parameter that is called; call the function that takes it with a mask of the text");
    COMPARE_TEXT(placed_error("return visible(q_idx) == 1"),
                 "line 1, column 8: visible is called but not defined in the text; known functions are abs, min, "
                 "max, int, bool, len, range, all, any, sum, enumerate, zip, reversed, tuple, list, partial, reduce, "
                 "float, and_masks, or_masks");
    COMPARE_TEXT(
        placed_error("def f(g):\n"
                     "    def m(b, h, q_idx, kv_idx):\n"
                     "        return g(q_idx)\n"
                     "    return m"),
        "line 3, column 16: g is a parameter that is called; call the function that takes it with a mask of the text");
    COMPARE_TEXT(placed_error("return q_idx.clampp(1) == 1"),
                 "line 1, column 8: .clampp(...) is not part of the mask language; did you mean clamp?");
    COMPARE_TEXT(placed_error("def f(i):\n"
                              "    return i\n"
                              "return f(1, 2) == q_idx"),
                 "line 3, column 8: f takes 1 argument, found 2");
    COMPARE_TEXT(placed_error("def f(i):\n"
                              "    return i\n"
                              "return f() == q_idx"),
                 "line 3, column 8: f is missing its argument i");
    COMPARE_TEXT(placed_error("def f(i):\n"
                              "    return i\n"
                              "return f(j=1) == q_idx"),
                 "line 3, column 12: f has no parameter j");
    COMPARE_TEXT(placed_error("def f(i):\n"
                              "    return i\n"
                              "return f(1, i=2) == q_idx"),
                 "line 3, column 15: f is given i twice");
    COMPARE_TEXT(placed_error("def f(i):\n"
                              "    return i\n"
                              "return f(**{1: 2}) == q_idx"),
                 "line 3, column 10: the keys of a dictionary after ** must be texts");
    COMPARE_TEXT(placed_error("def f(i):\n"
                              "    return i\n"
                              "x = 3\n"
                              "return f(**x) == q_idx"),
                 "line 4, column 10: ** must be followed by a dictionary of the text");
    COMPARE_TEXT(placed_error("return getattr(3, 'x') == q_idx"),
                 "line 1, column 8: getattr takes a name and what is asked of it as a text");
    COMPARE_TEXT(placed_error("d = SimpleNamespace(a=1)\n"
                              "return getattr(d, 'b') == q_idx"),
                 "line 2, column 8: d has no b");
    COMPARE_TEXT(placed_error("mask = create_block_mask(B=1)\n"
                              "return mask"),
                 "line 1, column 8: create_block_mask takes a function of (b, h, q_idx, kv_idx) first");
    COMPARE_TEXT(placed_error("return and_masks()"), "line 1, column 8: there is no mask to join here");
    COMPARE_TEXT(placed_error("x = 3\n"
                              "return and_masks(x, x)"),
                 "line 2, column 18: and_masks joins functions of (b, h, q_idx, kv_idx), x is not one");
    COMPARE_TEXT(placed_error("return torch == q_idx"),
                 "line 1, column 8: torch is not a value; write torch.where(...), torch.minimum(...)");
    COMPARE_TEXT(placed_error("return torch.pi == q_idx"),
                 "line 1, column 8: torch.pi is not a value of the mask language");
    COMPARE_TEXT(placed_error("return partial(3) == q_idx"),
                 "line 1, column 8: partial takes a function and some of its arguments");
    COMPARE_TEXT(placed_error("return 'a'.startswith(1)"), "line 1, column 8: startswith takes one text");
    COMPARE_TEXT(placed_error("return isinstance(q_idx)"), "line 1, column 8: isinstance takes 2 values, found 1");
  }
};

VQSCOPE_TEST(CallsTest)
#include "calls_test.moc"
