// SPDX-License-Identifier: GPL-3.0-or-later
// What people paste: each text is the mask that the expression beside it says, cell for cell.
#include "core/mask/language/compile/program.h"
#include "core/mask/language/language_mask.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index length = 24;

std::string cells_of(const std::string& text, const MaskBindings& bindings, const language::Given& given) {
  const auto parsed = MaskProgram::parse(text, given);
  if (!parsed) return parsed.error.message;
  const auto mask = LanguageMask::make(parsed.program, bindings, *SequenceLayout::make({.q_length = length}));
  if (!mask) return mask.error().message;
  std::string cells;
  for (Index q = 0; q < length; ++q)
    for (Index kv = 0; kv < length; ++kv) cells += (*mask)->visible(q, kv) ? '1' : '0';
  return cells;
}

std::string cells_of(const std::string& text, const MaskBindings& bindings = {}) {
  language::Given given{.integers = bindings.integers};
  for (const auto& [name, values] : bindings.arrays) given.arrays[name] = {.values = values};
  return cells_of(text, bindings, given);
}

std::string error_of(const std::string& text) {
  const auto parsed = MaskProgram::parse(text);
  return parsed ? "no error" : parsed.error.message;
}

std::string def(const std::string& body) { return "def mask(b, h, q_idx, kv_idx):\n" + body; }

const std::string causal = "def causal(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n";
const std::string window =
    "def make_window(size):\n    def window(b, h, q_idx, kv_idx):\n        return q_idx - kv_idx < size\n"
    "    return window\n";

}  // namespace

class PastedTextsTest : public QObject {
  Q_OBJECT

 private slots:
  void texts_data() {
    QTest::addColumn<QString>("pasted");
    QTest::addColumn<QString>("meant");
    const auto row = [](const char* name, const std::string& pasted, const std::string& meant) {
      QTest::newRow(name) << QString::fromStdString(pasted) << QString::fromStdString(meant);
    };
    row("a constant above the def", "WINDOW = 8\nHALF = WINDOW // 2\n" + def("    return abs(q_idx - kv_idx) <= HALF"),
        "abs(q_idx - kv_idx) <= 4");
    row("a tuple above the def", "A, B = 3, 4\nTOTAL = A + B\n" + def("    return q_idx - kv_idx < TOTAL"),
        "q_idx - kv_idx < 7");
    row("the last def", "def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx < 2\n" + causal, "q_idx >= kv_idx");
    row("a helper below what uses it",
        "def mask(b, h, q_idx, kv_idx):\n    return causal(b, h, q_idx, kv_idx)\n" + causal, "q_idx >= kv_idx");
    row("handed to create_block_mask",
        causal +
            "def other(b, h, q_idx, kv_idx):\n    return kv_idx < 3\n"
            "block_mask = create_block_mask(causal, B=None, H=None, Q_LEN=1024, KV_LEN=1024, device='cuda')\n",
        "q_idx >= kv_idx");
    row("handed over inside a function",
        window + "def build(size=5):\n    return create_block_mask(make_window(size), None, None, 64, 64)\n",
        "q_idx - kv_idx < 5");
    row("flex_attention below",
        causal +
            "out = flex_attention(query, key, value, block_mask=create_block_mask(causal, "
            "1, 1, 8, 8))\nprint(out.shape)\n",
        "q_idx >= kv_idx");
    row("what nothing uses", causal + "Q = torch.randn(2, 8, 64, 64)\nwith torch.no_grad():\n    x = 1\n",
        "q_idx >= kv_idx");
    row("a parameter decides",
        "def make(causal=True, size=3):\n    def mask(b, h, q_idx, kv_idx):\n"
        "        near = abs(q_idx - kv_idx) < size\n        if causal:\n"
        "            near = near & (kv_idx <= q_idx)\n        return near\n    return mask\n",
        "(abs(q_idx - kv_idx) < 3) & (kv_idx <= q_idx)");
    row("None decides",
        "def make(size=None):\n    def plain(b, h, q_idx, kv_idx):\n        return kv_idx <= q_idx\n"
        "    if size is None:\n        return plain\n    def near(b, h, q_idx, kv_idx):\n"
        "        return plain(b, h, q_idx, kv_idx) & (q_idx - kv_idx < size)\n    return near\n",
        "kv_idx <= q_idx");
    row("an index decides",
        def("    if q_idx < 4:\n        return kv_idx < 4\n    elif kv_idx == 0:\n        return True\n"
            "    else:\n        x = kv_idx + 1\n    return x <= q_idx"),
        "kv_idx < 4 if q_idx < 4 else (kv_idx == 0) | (kv_idx + 1 <= q_idx)");
    row("assert, del, decorator, docstring",
        "@torch.compile\ndef mask(b, h, q_idx: Tensor, kv_idx) -> Tensor:\n    \"\"\"A mask.\"\"\"\n    del b, h\n"
        "    assert 3 > 2, \"never\"\n    return kv_idx <= q_idx\n",
        "kv_idx <= q_idx");
    row("masks that are gathered",
        causal + window +
            "def all_of(*masks):\n    def mask(b, h, q_idx, kv_idx):\n        result = b.new_ones((), "
            "dtype=torch.bool)\n"
            "        for one in masks:\n            result = result & one(b, h, q_idx, kv_idx)\n        return result\n"
            "    return mask\nmask = all_of(causal, make_window(4))\n",
        "(q_idx >= kv_idx) & (q_idx - kv_idx < 4)");
    row("a list of masks", causal + window + "masks = [causal, make_window(4)]\nmask = and_masks(*masks)\n",
        "(q_idx >= kv_idx) & (q_idx - kv_idx < 4)");
    row("a literal array",
        "group = torch.tensor([0, 0, 1, 1, 1, 1, 2, 2])\n" + def("    return group[q_idx % 8] == group[kv_idx % 8]"),
        "group[q_idx % 8] == group[kv_idx % 8]");
    row("functions of torch", def("    return torch.ge(q_idx, kv_idx) & q_idx.sub(kv_idx).lt(4) & torch.ne(kv_idx, 1)"),
        "(q_idx >= kv_idx) & (q_idx - kv_idx < 4) & (kv_idx != 1)");
    row("div", def("    return torch.div(q_idx, 5, rounding_mode='floor') == torch.floor_divide(kv_idx, 5)"),
        "q_idx // 5 == kv_idx // 5");
    row("np and jnp", def("    return np.abs(q_idx - kv_idx) <= jnp.minimum(3, q_idx)"),
        "abs(q_idx - kv_idx) <= torch.minimum(3, q_idx)");
    row("fractions", def("    return (kv_idx <= q_idx / 2) | (kv_idx * 0.5 > q_idx) | (kv_idx == int(q_idx / 3))"),
        "(2 * kv_idx <= q_idx) | (kv_idx > 2 * q_idx) | (kv_idx == q_idx // 3)");
    row("ceil", "import math\n" + def("    return kv_idx < math.ceil(q_idx / 4) * 4"), "kv_idx < (q_idx + 3) // 4 * 4");
    row("self", def("    return q_idx - kv_idx < self.config.window"), "q_idx - kv_idx < window");
    row("a method", "def mask(self, b, h, q_idx, kv_idx):\n    return q_idx - kv_idx < self.window\n",
        "q_idx - kv_idx < window");
    row("parameters behind the four",
        "def mask(b, h, q_idx, kv_idx, window, sinks=2):\n"
        "    return (q_idx - kv_idx < window) | (kv_idx < sinks)\n",
        "(q_idx - kv_idx < window) | (kv_idx < 2)");
    row("a row of a table", def("    row = group[b]\n    return row[q_idx % 8] == row[kv_idx % 8]"),
        "group[q_idx % 8] == group[kv_idx % 8]");
    row("the length of an array", def("    return kv_idx < len(group) - group.shape[0] + group.numel()"), "kv_idx < 8");
    row("cumsum", "ends = torch.cumsum(group, dim=0)\n" + def("    return kv_idx < ends[7]"), "kv_idx < 8");
    row("bucketize",
        "bounds = [3, 9, 15]\n" + def("    return torch.bucketize(q_idx, bounds, right=True) == "
                                      "torch.bucketize(kv_idx, bounds, right=True)"),
        "(q_idx >= 3) + (q_idx >= 9) + (q_idx >= 15) == (kv_idx >= 3) + (kv_idx >= 9) + (kv_idx >= 15)");
    row("searchsorted",
        "bounds = [3, 9, 15]\n" + def("    return torch.searchsorted(bounds, q_idx) >= "
                                      "torch.searchsorted(bounds, kv_idx)"),
        "(q_idx > 3) + (q_idx > 9) + (q_idx > 15) >= (kv_idx > 3) + (kv_idx > 9) + (kv_idx > 15)");
    row("partial",
        "from functools import partial\ndef near(b, h, q_idx, kv_idx, size):\n    return q_idx - kv_idx < size\n"
        "mask = partial(near, size=4)\n",
        "q_idx - kv_idx < 4");
    row("attention-gym",
        "from attn_gym.masks import causal_mask, generate_sliding_window\n"
        "mask = and_masks(causal_mask, generate_sliding_window(3))\n",
        "(kv_idx <= q_idx) & (q_idx - kv_idx <= 3)");
    row("transformers", "mask = sliding_window_causal_mask_function(4)\n", "(kv_idx <= q_idx) & (kv_idx > q_idx - 4)");
    row("in", def("    return (kv_idx in (0, 1, 5)) | (kv_idx not in (2, 3, 4) and kv_idx <= q_idx)"),
        "(kv_idx == 0) | (kv_idx == 1) | (kv_idx == 5) | ((kv_idx != 2) & (kv_idx != 3) & (kv_idx != 4) & (kv_idx <= "
        "q_idx))");
    row("any of a generator", def("    return any(q_idx - kv_idx == 2 ** i for i in range(4))"),
        "(q_idx - kv_idx == 1) | (q_idx - kv_idx == 2) | (q_idx - kv_idx == 4) | (q_idx - kv_idx == 8)");
    row("main", causal + "if __name__ == '__main__':\n    mask = create_block_mask(causal, 1, 1, 8, 8)\n",
        "q_idx >= kv_idx");
  }

  void texts() {
    QFETCH(QString, pasted);
    QFETCH(QString, meant);
    const MaskBindings bindings{.integers = {{"window", 5}}, .arrays = {{"group", {0, 0, 1, 1, 1, 1, 2, 2}}}};
    COMPARE_TEXT(cells_of(pasted.toStdString(), bindings), cells_of(meant.toStdString(), bindings));
  }

  /// The same text with a value that decides it.
  void values_decide() {
    const std::string text =
        "def make(size=None, mode=\"near\"):\n    def mask(b, h, q_idx, kv_idx):\n        if size is not None and mode "
        "== "
        "\"near\":\n            return q_idx - kv_idx < size\n        return kv_idx <= q_idx\n    return mask\n";
    COMPARE_TEXT(cells_of(text), cells_of("kv_idx <= q_idx"));
    COMPARE_TEXT(cells_of(text, {.integers = {{"size", 3}}}), cells_of("q_idx - kv_idx < 3"));
    const auto parsed = MaskProgram::parse(text);
    QCOMPARE(parsed.program->integers().size(), std::size_t{1});
    QVERIFY(parsed.program->integers()[0].decides && parsed.program->integers()[0].may_miss);
  }

  void a_name_chooses_the_mask() {
    const std::string text = causal + "def sinks(b, h, q_idx, kv_idx):\n    return kv_idx < 2\n";
    COMPARE_TEXT(cells_of(text), cells_of("kv_idx < 2"));
    COMPARE_TEXT(cells_of(text, {}, {.mask = "causal"}), cells_of("q_idx >= kv_idx"));
    const auto parsed = MaskProgram::parse(text);
    QCOMPARE(parsed.program->masks(), (std::vector<std::string>{"causal", "sinks"}));
    COMPARE_TEXT(parsed.program->warnings()[0].message,
                 "the text has several masks: causal, sinks; sinks is shown, mask_function (--name) chooses another");
    COMPARE_TEXT(cells_of(text, {}, {.mask = "window"}), "the text has no mask window; it has causal, sinks");
  }

  /// A mask that cannot be made is never replaced by one of its parts, nor by a constant.
  void what_fails_is_told() {
    COMPARE_TEXT(error_of(causal + "mask = and_masks(causal, other(3))\n").substr(0, 38),
                 "other is called but not defined in the");
    COMPARE_TEXT(error_of(causal + window +
                          "if 3 in layers:\n    mask = and_masks(causal, make_window(4))\nelse:\n"
                          "    mask = causal\n"),
                 "layers has no values yet; give them, as an array");
    COMPARE_TEXT(error_of("HALF = WINDOW // 2\n"),
                 "there is no mask in the text; end it with an expression or a return");
    COMPARE_TEXT(error_of("class Mask:\n    size = 3\n" + def("    return q_idx < Mask")).substr(0, 5), "class");
    COMPARE_TEXT(cells_of(def("    return q_idx - kv_idx < size")),
                 "the mask's parameter size (line 2) is not given; give size = an integer");
    COMPARE_TEXT(cells_of(def("    return q_idx - kv_idx < SLIDING_WINDOW")),
                 "the mask's parameter SLIDING_WINDOW (line 2) is not given; give SLIDING_WINDOW = an integer, perhaps "
                 "128");
    COMPARE_TEXT(error_of("def make(size=3):\n    assert size > 4\n    def mask(b, h, q_idx, kv_idx):\n"
                          "        return q_idx < size\n    return mask\n"),
                 "this assert does not hold: size > 4");
    COMPARE_TEXT(error_of("def make(size=3):\n    if size < 4:\n        raise ValueError('small')\n"
                          "    def mask(b, h, q_idx, kv_idx):\n        return q_idx < size\n    return mask\n"),
                 "the text comes to this raise with these values");
  }

  /// Texts of few bytes that would go on for ever, or leave 64 bits.
  void what_is_hostile_ends() {
    QVERIFY(error_of("range(0, 9223372036854775807, 9223372036854775806)[1] == q_idx") == "no error");
    QVERIFY(error_of("0e-9223372036854775807 <= q_idx").find("too many digits") != std::string::npos);
    COMPARE_TEXT(error_of("() = q_idx"), "there is no name to assign to between these parentheses");
    QVERIFY(error_of("for () in [1, 2]: pass\nq_idx >= kv_idx") != "");
    QVERIFY(error_of("1e-30 <= q_idx").find("too many digits") != std::string::npos);
    QVERIFY(error_of("len(range(1000000)) > q_idx").find("20000") != std::string::npos);
    std::string defs;
    for (int i = 0; i < 60; ++i) {
      defs += "def f" + std::to_string(i) + "(a):\n";
      for (int j = 0; j < 20; ++j)
        defs += "    if a == " + std::to_string(j) + ":\n        return f" + std::to_string((i * 7 + j) % 60) + "(j)\n";
      defs += "    return 1\n";
    }
    QVERIFY(error_of(defs + causal) == "no error");
  }

  void what_torch_refuses_is_told() {
    for (const char* body : {"    return q_idx >= kv_idx and kv_idx > 2", "    return 0 < kv_idx <= q_idx",
                             "    if q_idx > 3:\n        return kv_idx < 4\n    return kv_idx < 2"}) {
      const auto parsed = MaskProgram::parse(def(body));
      QVERIFY(parsed);
      QCOMPARE(parsed.program->warnings().size(), std::size_t{1});
      QVERIFY(parsed.program->warnings()[0].message.find("torch raises") != std::string::npos);
    }
  }
};

VQSCOPE_TEST(PastedTextsTest)
#include "pasted_texts_test.moc"
