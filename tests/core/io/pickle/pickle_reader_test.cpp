// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickle_reader.h"

#include "core/io/pickle/pickle_text.h"
#include "tests/core/io/pickle/pickle_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A value as Python would print it.
std::string shown_value(const Pickle& pickle, PickleRef ref, int depth = 0) {
  const PickleValue& value = pickle[ref];
  if (depth > 8) return "...";
  std::string items;
  for (const PickleRef item : pickle.items(ref))
    items += (items.empty() ? "" : " ") + shown_value(pickle, item, depth + 1);
  const std::string text(pickle.text(ref));
  switch (value.kind) {
    case PickleKind::none: return "None";
    case PickleKind::boolean: return value.whole != 0 ? "True" : "False";
    case PickleKind::whole: return to_text(value.whole);
    case PickleKind::real: return to_text(value.real());
    case PickleKind::text: return "'" + text + "'";
    case PickleKind::bytes: return "b'" + text + "'";
    case PickleKind::list: return "[" + items + "]";
    case PickleKind::tuple: return "(" + items + ")";
    case PickleKind::set:
    case PickleKind::dictionary: return "{" + items + "}";
    case PickleKind::name: return text;
    case PickleKind::object: return "<" + items + ">";
    case PickleKind::outside: return "outside" + items;
  }
  return {};
}

std::string read_text_of(const std::string& bytes) {
  const auto pickle = read_pickle(MemorySource(bytes));
  return pickle ? shown_value(*pickle, pickle->root) : pickle.error().message;
}

std::string pickle_refusal(const std::string& bytes) {
  const auto pickle = read_pickle(MemorySource(bytes));
  return pickle ? "read" : pickle.error().message;
}

}  // namespace

class PickleReaderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void values_of_every_protocol() {
    COMPARE_TEXT(read_text_of("(dp0\nS'a'\np1\nI1\nsS'b'\nF2.5\ns."), "{'a' 1 'b' 2.5}");
    COMPARE_TEXT(read_text_of("(lp0\nI00\naI01\naL12L\naNaVx\\u00e9\na."), "[False True 12 None 'x\xc3\xa9']");
    COMPARE_TEXT(read_text_of(pickled("(K\1M\1\1J\xff\xff\xff\xff\x8a\1\xfe\x88\x89Nt")),
                 "(1 257 -1 -2 True False None)");
    COMPARE_TEXT(read_text_of(pickled(std::string("G\x3f\xf8\0\0\0\0\0\0", 9))), "1.5");
    COMPARE_TEXT(read_text_of(pickled("]q\1(K\1h\1e")), "[1 [1 [1 [1 [1 [1 [1 [1 [... ...]]]]]]]]]");
    COMPARE_TEXT(read_text_of("\x80\4\x95" + number_bytes(6, 8) + "\x8c\1a\x94K\2\x86."), "('a' 2)");
    COMPARE_TEXT(read_text_of("\x80\4(\x8f(K\1K\2\x90\x91."), "{{1 2}}");
    COMPARE_TEXT(read_text_of(pickled("C\2xyU\1z\x86")), "(b'xy' 'z')");
    COMPARE_TEXT(read_text_of(pickled("K\1K\2\x30")), "1");
    COMPARE_TEXT(read_text_of(pickled("((K\1"
                                      "1K\3"
                                      "2\x86")),
                 "(3 3)");
  }

  void objects_are_data() {
    COMPARE_TEXT(read_text_of(pickled("ccollections\nOrderedDict\n)Rq\1(K\1K\2u")),
                 "<collections.OrderedDict () None 1 2>");
    COMPARE_TEXT(read_text_of(pickled("cargparse\nNamespace\n)\x81}(K\1K\2ub")), "<argparse.Namespace () {1 2}>");
    COMPARE_TEXT(read_text_of("\x80\4\x8c\5torch\x8c\4Size\x93(K\3t\x85R."), "<torch.Size ((3)) None>");
    COMPARE_TEXT(read_text_of(pickled("ctorch\nfloat8_e4m3fn\n")), "torch.float8_e4m3fn");
    COMPARE_TEXT(read_text_of(pickled("K\7Q")), "outside7");
  }

  /// Whatever is asked for of the file: nothing is executed, and nothing else is read.
  void other_names_are_refused() {
    const std::string why = ", which a file of tensors does not need; nothing of it was run";
    COMPARE_TEXT(pickle_refusal("cos\nsystem\n(S'id'\ntR."), "it names os.system" + why + " (byte 0)");
    COMPARE_TEXT(pickle_refusal("(S'id'\nios\nsystem\n."), "it names os.system" + why + " (byte 7)");
    COMPARE_TEXT(pickle_refusal("\x80\4\x8c\x08"
                                "builtins\x8c\4eval\x93."),
                 "it names builtins.eval" + why + " (byte 18)");
    for (const char* name :
         {"builtins\ngetattr", "builtins\n__import__", "torch\nload", "torch\nfloat32.__class__", "numpy\nload",
          "torch.serialization\nload", "collections\nnamedtuple", "torch._utils\n_rebuild_tensor_v2.x",
          "transformers.modeling_outputs.x\nA", "numpy.f2py\nload", "torch.jit\nload"})
      QVERIFY2(pickle_refusal(pickled(std::string("c") + name + "\n")).ends_with("(byte 2)"), name);
    COMPARE_TEXT(pickle_refusal(pickled("c\x1b[31m\nx\n")), "it names [31m.x" + why + " (byte 2)");
  }

  void damaged_pickles() {
    COMPARE_TEXT(pickle_refusal("\x80\7."), "the pickle has protocol 7 but must be at most 5 (byte 0)");
    COMPARE_TEXT(pickle_refusal(pickled("\x82\1")), "the pickle is damaged, or not supported: opcode 0x82 (byte 2)");
    COMPARE_TEXT(pickle_refusal(pickled("")), "the pickle is damaged: a value is missing");
    COMPARE_TEXT(pickle_refusal(pickled("t")), "the pickle is damaged: a mark is missing (byte 2)");
    COMPARE_TEXT(pickle_refusal(pickled("}K\1K\2a")),
                 "the pickle is damaged: items are added to what is no list (byte 7)");
    COMPARE_TEXT(pickle_refusal(pickled("h\5")),
                 "the pickle is damaged: a value that was not kept is used again (byte 2)");
    COMPARE_TEXT(pickle_refusal(pickled("K\1)R")),
                 "the pickle is damaged: what is called is no class, or its arguments are no tuple (byte 5)");
    COMPARE_TEXT(pickle_refusal(pickled("S'a\n")), "the pickle is damaged: a text is not quoted as in Python (byte 2)");
    QVERIFY(
        pickle_refusal("\x80\2B\xff\xff\xff\x7f").starts_with("the file is cut short: 2147483647 bytes are expected"));
    QVERIFY(pickle_refusal("\x80\2]").starts_with("the file is cut short"));
    COMPARE_TEXT(pickle_refusal(pickled("I" + std::string(5'000, '1'))),
                 "the pickle is damaged: a line has no end (byte 2)");
    COMPARE_TEXT(pickle_refusal("\x80\2I12"), "the file is cut short: the line at byte 3 does not end");
    COMPARE_TEXT(pickle_refusal(pickled("Nr\xff\xff\xff\xff")),
                 "the memo has a place 4294967295 but must be below 2097152 (byte 3)");
  }

  void kept_texts_are_bounded() {
    std::string texts = "\x80\2(";
    for (int i = 0; i < 10'000; ++i) texts += "S'" + std::string(4'000, 'a') + "'\n";
    const auto pickle = read_pickle(MemorySource(texts + "t."));
    QVERIFY(pickle && pickle->all_texts.size() < 20'000'000 && !(*pickle)[pickle->items(pickle->root).back()].is_kept);
    std::string names = "\x80\2";
    for (int i = 0; i < 10'000; ++i)
      names += "ctransformers." + std::string(3'900, 'a') + "_outputs\nA" + std::to_string(i) + "\n";
    QVERIFY(pickle_refusal(names + ".").starts_with("the names in the pickle have more than 33554432 bytes"));
  }

  void values_and_instructions_are_bounded() {
    const std::string values = "the pickle has more than 1048576 values (byte ";
    COMPARE_TEXT(pickle_refusal("\x80\2" + std::string(1'500'000, ']')), values + "1048319)");
    COMPARE_TEXT(pickle_refusal("\x80\2(" + std::string(1'500'000, 'N') + "t."), values + "1048579)");
    const std::string instructions = "the pickle has more than 2097152 instructions (byte ";
    COMPARE_TEXT(pickle_refusal("\x80\2" + std::string(3'000'000, '(')),
                 "the pickle has more than 65536 open marks (byte 65538)");
    std::string undone;
    for (int i = 0; i < 1'500'000; ++i) undone += "N0";
    COMPARE_TEXT(pickle_refusal("\x80\2" + undone), instructions + "2097153)");
  }

  /// Lists that grow in turns keep their items.
  void items_stay_in_order() {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
      std::string opcodes = "(";
      const char lists = static_cast<char>(pick(random, 1, 4));
      for (char list = 0; list < lists; ++list) opcodes += std::string("]q") + list;
      std::vector<std::string> expected(static_cast<std::size_t>(lists));
      for (Index added = pick(random, 0, 60); added > 0; --added) {
        const auto list = pick(random, 0, lists - 1);
        std::string items;
        const bool one = pick(random, 0, 1) == 0;
        for (Index item = one ? 1 : pick(random, 0, 9); item > 0; --item) {
          const auto number = pick(random, 0, 255);
          items += std::string("K") + static_cast<char>(number);
          auto& text = expected[static_cast<std::size_t>(list)];
          text += (text.empty() ? "" : " ") + to_text(number);
        }
        opcodes += std::string("h") + static_cast<char>(list) + (one ? items + "a" : "(" + items + "e") + "0";
      }
      std::string all;
      for (const auto& text : expected) all += (all.empty() ? "[" : " [") + text + "]";
      COMPARE_TEXT(read_text_of(pickled(opcodes + "t")), "(" + all + ")");
    }
  }

  void long_texts_stay_in_the_file() {
    const std::string letters(10'000, 'a');
    for (const std::string& opcodes : {pickled_text(letters), "S'" + letters + "'\n", "V" + letters + "\n"}) {
      const std::string bytes = pickled(opcodes);
      const auto pickle = read_pickle(MemorySource(bytes));
      QVERIFY(pickle.has_value());
      const PickleValue& value = (*pickle)[pickle->root];
      QVERIFY(!value.is_kept && pickle->text(pickle->root).empty());
      const auto text = decoded(value.form, std::string_view(bytes).substr(value.offset(), value.size()));
      QVERIFY(text == letters);
    }
    COMPARE_TEXT(read_text_of(pickled("(\x8b" + number_bytes(300, 4) + std::string(300, '\1') + "K\1t")), "(inf 1)");
  }

  void any_bytes_are_read_or_refused() {
    Random random(11);
    const std::string whole =
        pickled("}(" + pickled_text("a") + pickled_tensor({2, 2}, {2, 1}) + pickled_text("b") + "](K\1K\2eu");
    QVERIFY(read_pickle(MemorySource(whole)));
    for (int i = 0; i < 3'000; ++i) {
      std::string damaged = whole;
      for (Index changes = pick(random, 1, 4); changes > 0; --changes)
        damaged[static_cast<std::size_t>(pick(random, 0, static_cast<Index>(whole.size()) - 1))] =
            static_cast<char>(pick(random, 0, 255));
      const auto pickle = read_pickle(MemorySource(damaged));
      QVERIFY(pickle ? pickle->root < pickle->values.size() : !pickle.error().message.empty());
    }
  }
};

VQSCOPE_TEST(PickleReaderTest)
#include "pickle_reader_test.moc"
