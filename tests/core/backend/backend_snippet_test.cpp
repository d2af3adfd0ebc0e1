// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"
#include "core/base/text.h"
#include "tests/core/backend/layout_of.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct Given {
  SequenceInput input;
  MaskStructure structure;
};

std::string snippet(const char* backend, const Given& given) {
  MaskStructure structure = given.structure;
  structure.exact = true;
  return backend_snippet(*find_backend(backend), structure, layout_of(given.input));
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// One of each structure that libraries have words for.
const std::vector<Given> variety{
    {{.q_length = 8}, {.causal = true}},
    {{.q_length = 8}, {}},
    {{.q_length = 8, .padding = 3}, {.causal = true, .padding = true}},
    {{.q_length = 8, .padding_side = PaddingSide::left, .padding = 3}, {.causal = true, .padding = true}},
    {{.q_length = 8, .prefix_length = 3}, {.prefix = 3}},
    {{.q_length = 8, .document_lengths = {3, 5}}, {.causal = true, .documents = true}},
    {{.q_length = 8, .padding = 2, .document_lengths = {2, 4}},
     {.causal = true, .window = 2, .documents = true, .padding = true}},
    {{.q_length = 3, .past_len = 5}, {.causal = true, .window = 4}},
    {{.q_length = 2, .past_len = 6}, {.causal = true}},
    {{.q_length = 4, .kv_length = 8, .query_source = QuerySource::own}, {}},
    {{.q_length = 4, .kv_length = 9}, {.causal = true}}};

/// The part of torch that snippets use to make masks: arrays of one and two dimensions, as lists.
const char* const small_torch = R"(
import operator

class Array:
    def __init__(self, rows): self.rows = rows
    def each(self, other, act):
        b = other.rows if isinstance(other, Array) else [[other]]
        a = self.rows
        height, width = max(len(a), len(b)), max(len(a[0]), len(b[0]))
        at = lambda m, i, j: m[i if len(m) > 1 else 0][j if len(m[0]) > 1 else 0]
        return Array([[act(at(a, i, j), at(b, i, j)) for j in range(width)] for i in range(height)])
    def __le__(self, other): return self.each(other, operator.le)
    def __lt__(self, other): return self.each(other, operator.lt)
    def __ge__(self, other): return self.each(other, operator.ge)
    def __eq__(self, other): return self.each(other, operator.eq)
    def __sub__(self, other): return self.each(other, operator.sub)
    def __and__(self, other): return self.each(other, operator.and_)
    def __or__(self, other): return self.each(other, operator.or_)

class Line(list):
    def __getitem__(self, at):
        if at == (slice(None), None): return Array([[x] for x in self])
        if at == (None, slice(None)): return Array([list(self)])
        found = list.__getitem__(self, at)
        return Line(found) if isinstance(at, slice) else found
    def __add__(self, number): return Line(x + number for x in self)

class torch:
    bool = bool
    arange = staticmethod(lambda n: Line(range(n)))
    full = staticmethod(lambda shape, value: Line([value] * shape[0]))
    cat = staticmethod(lambda parts: Line(x for part in parts for x in part))
    ones = staticmethod(lambda shape, dtype: Array([[True] * shape[1] for _ in range(shape[0])]))

def show(visible):
    print("".join("#" if cell else "." for row in visible.rows for cell in row))
)";

/// The output of a Python program.
QByteArray output_of(const QString& python, const QTemporaryDir& folder, const std::string& program) {
  QFile file(folder.filePath("program.py"));
  if (!file.open(QIODevice::WriteOnly)) return "no file";
  file.write(program.c_str());
  file.close();
  QProcess process;
  process.start(python, {file.fileName()});
  const bool done = process.waitForFinished(60'000) && process.exitCode() == 0;
  return done ? process.readAllStandardOutput() : process.readAllStandardError();
}

/// Text between two of its lines.
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const auto first = text.find(begin) + begin.size();
  return text.substr(first, text.find(end, first) - first);
}

}  // namespace

class BackendSnippetTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_worked_snippet() {
    COMPARE_TEXT(snippet("sdpa", {{.q_length = 8}, {.causal = true, .window = 3}}),
                 "import torch\nimport torch.nn.functional as F\n\n"
                 "q_length, kv_length, past_len = 8, 8, 0\n"
                 "document_lengths = [8]\n"
                 "kv_pos = torch.cat([torch.arange(n) for n in document_lengths])\n"
                 "kv_doc = torch.cat([torch.full((n,), i) for i, n in enumerate(document_lengths)])\n"
                 "q_pos = kv_pos[past_len:past_len + q_length]\n"
                 "q_doc = kv_doc[past_len:past_len + q_length]\n"
                 "visible = torch.ones((q_length, kv_length), dtype=torch.bool)\n"
                 "visible = visible & (kv_pos[None, :] <= q_pos[:, None])\n"
                 "visible = visible & (q_pos[:, None] - kv_pos[None, :] < 3)\n"
                 "q = torch.randn(1, 8, q_length, 64)\n"
                 "k = torch.randn(1, 8, kv_length, 64)\n"
                 "v = torch.randn(1, 8, kv_length, 64)\n"
                 "out = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)  # True attends\n");
  }

  void each_library_has_its_words() {
    const Given window{{.q_length = 8}, {.causal = true, .window = 3}};
    QVERIFY(has(snippet("flash_attention", window), "causal=True, window_size=(2, 0))"));
    QVERIFY(has(snippet("jax", window), "is_causal=True, local_window_size=(2, 0))"));
    QVERIFY(has(snippet("xformers", window), "LowerTriangularFromBottomRightLocalAttentionMask(3)"));
    QVERIFY(has(snippet("mha", window), "attn_mask=~visible"));
    QVERIFY(has(snippet("flex_attention", window),
                "return (kv_pos[kv_idx] <= q_pos[q_idx]) & (q_pos[q_idx] - kv_pos[kv_idx] < 3)"));
    QVERIFY(has(snippet("additive_f16", window), ".masked_fill(~visible, torch.finfo(torch.float16).min)"));
    QVERIFY(has(snippet("additive_inf", window), "dtype=torch.float32).masked_fill(~visible, float(\"-inf\"))"));
    QVERIFY(has(snippet("padding_2d", {{.q_length = 8, .padding = 3}, {.padding = true}}), "padding = 3  # right"));
    QVERIFY(has(snippet("xformers", {{.q_length = 8}, {}}), "attn_bias = None"));
    QVERIFY(has(snippet("xformers", {{.q_length = 8}, {.causal = true}}), "LowerTriangularMask()"));
    QVERIFY(has(snippet("xformers", {{.q_length = 2, .past_len = 6}, {.causal = true}}),
                "LowerTriangularFromBottomRightMask()"));
  }

  /// is_causal begins at key 0, so a cache needs the tensor.
  void a_flag_alone() {
    const std::string causal = snippet("sdpa", {{.q_length = 8}, {.causal = true}});
    QVERIFY2(has(causal, "attention(q, k, v, is_causal=True)") && !has(causal, "visible"), causal.c_str());
    QVERIFY(has(snippet("sdpa", {{.q_length = 8}, {}}), "attention(q, k, v)  # every key is visible\n"));
    QVERIFY(has(snippet("sdpa", {{.q_length = 2, .past_len = 6}, {.causal = true}}), "attn_mask=visible"));
  }

  void lists_of_blocks() {
    const Given window{{.q_length = 8}, {.causal = true, .window = 3}};
    const std::string flex = snippet("flex_block_lists", window);
    QVERIFY2(has(flex, "BLOCK_SIZE=block_size, mask_mod=mask_mod, **blocks)") && has(flex, "def mask_mod("),
             flex.c_str());
    QVERIFY(has(snippet("flash_attention_4_blocks", window), "mask_block_cnt=blocks[\"kv_num_blocks\"],\n"));
  }

  void libraries_with_masks_of_their_own() {
    const Given window{{.q_length = 8}, {.causal = true, .window = 3}};
    QVERIFY(has(snippet("splash_attention", window), "LocalMask((q_length, kv_length), (2, 0), past_len)"));
    QVERIFY(has(snippet("splash_attention", {{.q_length = 8}, {.causal = true}}), "CausalMask((q_length, kv_length)"));
    QVERIFY(has(snippet("splash_attention", {{.q_length = 8}, {.prefix = 3}}), "NumpyMask(numpy.asarray(visible))"));
    const MaskStructure packed{.causal = true, .documents = true};
    QVERIFY(has(snippet("splash_attention", {{.q_length = 8, .document_lengths = {3, 3, 2}}, packed}),
                "ChunkedCausalMask((q_length, kv_length), 3)"));
    QVERIFY(has(snippet("splash_attention", {{.q_length = 8, .document_lengths = {2, 3, 3}}, packed}), "NumpyMask("));
    const Given gaps{{.q_length = 5, .kv_length = 8, .query_source = QuerySource::own},
                     {.others = {"same group"}, .query_blocks = {{2, {0, 3}}, {3, {4, 8}}}}};
    QVERIFY(has(snippet("xformers", gaps), "q_seqlen=[2, 3], kv_seqstarts=[0, 4, 8], kv_seqlen=[3, 4])\nq = "));
    Given causal = gaps;
    causal.structure.blocks_are_causal = true;
    QVERIFY(has(snippet("xformers", causal), "BlockDiagonalCausalWithOffsetGappyKeysMask.from_seqlens("));
    QVERIFY(
        has(snippet("onnx_attention", window), "is_causal=1, left_window_size=2, right_window_size=0)  # opset 25"));
    QVERIFY(has(snippet("onnx_attention", {{.q_length = 2, .past_len = 6}, {.causal = true}}), "\"attn_mask\""));
    QVERIFY(has(snippet("mlx", {{.q_length = 8}, {.causal = true}}), "mask=\"causal\""));
    QVERIFY(has(snippet("mlx", window), "mask=mx.array(visible)"));
    QVERIFY(has(snippet("cudnn", window), "diagonal_band_right_bound=0, diagonal_band_left_bound=3"));
    QVERIFY(has(snippet("flash_attention_3", window), "from flash_attn_interface import"));
    QVERIFY(has(snippet("flash_attention_4", window), "kernel_options={\"BACKEND\": \"FLASH\"}"));
    QVERIFY(has(snippet("flash_attention_4", window), "torch.set_default_device(\"cuda\")"));
    QVERIFY(has(snippet("cudnn", window), "graph.sdpa(q, k, v, generate_stats=False, attn_scale=0.125, "));
    const Given both_sides{{.q_length = 8}, {.window = 3, .ahead = 1, .body = "return kv_idx >= 0"}};
    QVERIFY(has(snippet("flash_attention", both_sides), "causal=False, window_size=(2, 1)"));
    QVERIFY(has(snippet("xformers", both_sides), "LocalAttentionFromBottomRightMask(window_left=2, window_right=1)"));
    QVERIFY(has(snippet("onnx_attention", both_sides), "is_causal=0, left_window_size=2, right_window_size=1)"));
    QVERIFY(has(snippet("jax", both_sides), "local_window_size=(2, 1)"));
    const Given body{{.q_length = 8},
                     {.others = {"same group"},
                      .body = "return (group_id[q_idx] == group_id[kv_idx])",
                      .arrays = {{"group_id", {0, 1, 0}}}}};
    QVERIFY(has(snippet("sdpa", body),
                "group_id = torch.tensor([0, 1, 0])\nq_idx = torch.arange(q_length)[:, None]\n"
                "kv_idx = torch.arange(kv_length)[None, :]\n"
                "visible = torch.broadcast_to((group_id[q_idx] == group_id[kv_idx]), (q_length, kv_length))\n"));
    QVERIFY(has(snippet("flex_attention", body), "    return (group_id[q_idx] == group_id[kv_idx])\n"));
  }

  /// Kernels that take lengths get those of the documents; padding is in none.
  void packed_lengths() {
    const Given packed{{.q_length = 6, .past_len = 2, .padding = 1, .document_lengths = {3, 4}},
                       {.causal = true, .documents = true, .padding = true}};
    const std::string text = snippet("flash_attention", packed);
    QVERIFY2(has(text, "# 1 padding tokens are left out of q, k and v\nq_lengths = [1, 4]\nkv_lengths = [3, 4]\n"),
             text.c_str());
  }

  void snippet_names_omitted_parts() {
    COMPARE_TEXT(snippet("flash_attention", {{.q_length = 8}, {.prefix = 2}}).substr(0, 54),
                 "# flash-attention arguments cannot express: prefix 2\ni");
    QVERIFY(snippet("sdpa", {{.q_length = 8}, {.prefix = 2}}).starts_with("import torch\n"));
    QVERIFY(has(snippet("mha", {{.q_length = 2097152}, {.causal = true}}), "# visible alone takes 4 TiB"));
    const std::string arbitrary = backend_snippet(*find_backend("sdpa"), {.causal = true}, layout_of({.q_length = 8}));
    QVERIFY(has(arbitrary,
                "# written by: vqscope export visibility --out visibility.npy\n"
                "visible = torch.from_numpy(numpy.load(\"visibility.npy\"))\n"));
  }

  /// Python makes of the snippets for torch's attention and FlexAttention the mask that they are of; rows of
  /// padding are of no use.
  void snippets_make_the_mask() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("no python3");
    Random random(5);
    std::vector<Given> all = variety;
    for (int i = 0; i < 150; ++i) {
      const MaskCase drawn = random_case(random);
      Given given{drawn.layout.input(), {.padding = drawn.layout.input().padding > 0}};
      given.structure.documents = pick(random, 0, 1) && given.input.query_source == QuerySource::keys;
      if (pick(random, 0, 2) == 0)
        given.structure.prefix = pick(random, 1, 9);
      else
        given.structure.causal = pick(random, 0, 1);
      if (pick(random, 0, 1)) given.structure.window = pick(random, 1, 9);
      if (holds_of_positions(given.structure, drawn.layout)) all.push_back(given);
    }
    QVERIFY(all.size() > 80);
    std::string program = small_torch;
    for (const auto& given : all) {
      program += between(snippet("mha", given), "import torch\n\n", "attention = ") + "show(visible)\n";
      program += between(snippet("flex_attention", given), "flex_attention\n\n", "block_mask = ") +
                 "show(Array([[mask_mod(0, 0, q, k) for k in range(kv_length)] for q in range(q_length)]))\n";
    }
    const QTemporaryDir folder;
    const auto lines = output_of(python, folder, program).split('\n');
    QVERIFY2(lines.size() == static_cast<qsizetype>(2 * all.size() + 1), lines.join('\n').constData());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto layout = layout_of(all[i].input);
      const auto mask = structure_mask(all[i].structure, layout);
      for (Index q = 0; q < layout.q_length(); ++q)
        for (Index kv = 0; kv < layout.kv_length() && layout.q_valid(q); ++kv)
          for (const std::size_t line : {2 * i, 2 * i + 1}) {
            const char cell = lines[static_cast<qsizetype>(line)].at(q * layout.kv_length() + kv);
            const char* backend = line % 2 == 0 ? "mha" : "flex_attention";
            const std::string place = "# query " + to_text(q) + ", key " + to_text(kv);
            QVERIFY2((cell == '#') == mask->visible(q, kv), (snippet(backend, all[i]) + place).c_str());
          }
    }
  }

  /// Python itself reads every snippet, where there is a Python.
  void every_snippet_is_python() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("no python3");
    const QTemporaryDir folder;
    QStringList files;
    for (const auto& given : variety)
      for (const auto& backend : backends())
        for (const bool exact : {true, false}) {
          MaskStructure structure = given.structure;
          structure.exact = exact;
          files << folder.filePath(QString("s%1.py").arg(files.size()));
          QFile file(files.back());
          QVERIFY(file.open(QIODevice::WriteOnly));
          file.write(backend_snippet(backend, structure, layout_of(given.input)).c_str());
        }
    QProcess process;
    process.start(python, QStringList{"-m", "py_compile"} + files);
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
  }
};

VQSCOPE_TEST(BackendSnippetTest)
#include "backend_snippet_test.moc"
