// SPDX-License-Identifier: GPL-3.0-or-later
// `vqscope mcp`.
#include "app/cli/mcp/mcp_server.h"
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

QByteArray request(int id, const QString& method, const QJsonObject& params) {
  return QJsonDocument(QJsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}})
      .toJson(QJsonDocument::Compact);
}

QByteArray call(int id, const QString& tool, const QJsonObject& arguments) {
  return request(id, "tools/call", {{"name", tool}, {"arguments", arguments}});
}

QJsonObject jsonOf(const QByteArray& line) { return QJsonDocument::fromJson(line).object(); }

int errorOf(const QJsonObject& answer) { return answer["error"]["code"].toInt(); }

const QJsonObject leak{{"mask_text", "def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx <= q_idx + 1\n"},
                       {"set", QJsonObject{{"q_length", 8}}}};

}  // namespace

class McpTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    writtenFile(m_folder, "m.py",
                "def mask_mod(b, h, q_idx, kv_idx):\n    return (kv_idx <= q_idx) & (q_idx - kv_idx < n)\n");
  }

  void aClientBegins() {
    const auto answers = answersTo({request(1, "initialize", {{"protocolVersion", "2025-06-18"}}),
                                    R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                                    request(2, "tools/list", {}), request(3, "ping", {})});
    QCOMPARE(answers.size(), 3);
    QCOMPARE(answers[0]["result"]["protocolVersion"].toString(), QString("2025-06-18"));
    QCOMPARE(answers[0]["result"]["serverInfo"]["name"].toString(), QString("vqscope"));
    const QJsonArray tools = answers[1]["result"]["tools"].toArray();
    QStringList names;
    for (const QJsonValue tool : tools) {
      names << tool["name"].toString();
      QCOMPARE(tool["inputSchema"]["type"].toString(), QString("object"));
    }
    QCOMPARE(names.join(' '), QString("check recognise row compare config block_mask export list"));
    QCOMPARE(answers[2]["id"].toInt(), 3);
  }

  void tools() {
    QJsonObject row = leak;
    row["row"] = 3;
    QJsonObject other = leak;
    other["other_mask_text"] = "kv_idx <= q_idx";
    QJsonObject checked = leak;
    checked["objective"] = "causal";
    const auto answers = answersTo({call(1, "check", checked), call(2, "recognise", leak), call(3, "row", row),
                                    call(4, "compare", other), call(5, "list", {{"method", "visibility"}})});
    QCOMPARE(answers.size(), 5);
    const auto check = jsonOf(textOf(answers[0]).toUtf8());
    QCOMPARE(check["findings"].toArray().first()["rule"].toString(), QString("future_visible"));
    QCOMPARE(jsonOf(textOf(answers[2]).toUtf8())["visible"].toArray().first().toArray(), (QJsonArray{0, 5}));
    QCOMPARE(jsonOf(textOf(answers[3]).toUtf8())["only_first"].toInt(), 7);
    QVERIFY(textOf(answers[4]).startsWith("visibility  (masks, matrix)\n"));
    for (const QJsonObject& answer : answers) QVERIFY(!answer["result"]["isError"].toBool(true));
  }

  void filesAndPictures() {
    const QString path = m_folder.filePath("blocks.npz");
    const auto answers =
        answersTo({call(1, "block_mask", {{"set", QJsonObject{{"q_length", 300}}}, {"out", path}}),
                   call(2, "export", {{"method", "visibility"}, {"set", QJsonObject{{"q_length", 16}}}})});
    QVERIFY2(contentOf(m_folder, "blocks.npz").startsWith("PK"), qPrintable(textOf(answers[0])));
    if (!makesFigures()) {
      QVERIFY2(textOf(answers[1]).startsWith("this vqscope makes no figures"), qPrintable(textOf(answers[1])));
      return;
    }
    const QJsonObject picture = answers[1]["result"]["content"].toArray().first().toObject();
    QCOMPARE(picture["mimeType"].toString(), QString("image/png"));
    QVERIFY(QByteArray::fromBase64(picture["data"].toString().toLatin1()).startsWith("\x89PNG"));
  }

  /// Beside the arguments of the tool.
  void parameters() {
    const auto answers =
        answersTo({call(1, "row", {{"row", 3}, {"mask", "m.py"}, {"q_length", 4}, {"n", 2}}),
                   call(2, "check", {{"q_lenght", 8}}), call(3, "recognise", {{"mask", "packed"}, {"q_length", 16}})});
    QVERIFY2(textOf(answers[2]).startsWith("causal ∧ documents [4, 4, 4, 4]"), qPrintable(textOf(answers[2])));
    QCOMPARE(jsonOf(textOf(answers[0]).toUtf8())["visible"].toArray().first().toArray(), (QJsonArray{2, 4}));
    QCOMPARE(textOf(answers[1]), QString("unknown parameter q_lenght of visibility; did you mean q_length?"));
  }

  /// A refusal has the sentence of the command.
  void refusals() {
    const auto answers = answersTo(
        {call(1, "check", {{"mask", "nothing.npy"}}), call(2, "check", {{"mask", "-"}}),
         call(3, "list", {{"methud", "alibi"}}), call(4, "row", {{"set", QJsonObject{{"q_length", 4}}}}),
         call(5, "recognise", {{"mask_text", "def mask_mod(b, h, q_idx, kv_idx):\n    return kv <= q_idx\n"}}),
         call(6, "config", {{"model", "--help"}}), call(7, "compare", leak),
         call(8, "check", {{"mask", "lambda b, h, q_idx, kv_idx: q_idx >= kv_idx"}})});
    QCOMPARE(answers.size(), 8);
    for (const QJsonObject& answer : answers) QVERIFY(answer["result"]["isError"].toBool());
    QVERIFY2(textOf(answers[0]).contains("nothing.npy"), qPrintable(textOf(answers[0])));
    QCOMPARE(textOf(answers[1]), QString("mask must be a text, a number or a list; there is no standard input"));
    QCOMPARE(textOf(answers[6]), QString("compare needs other_mask, other_mask_text or other_set"));
    QCOMPARE(textOf(answers[2]), QString("unknown argument methud of list; did you mean method?"));
    QCOMPARE(textOf(answers[3]), QString("row needs the argument row"));
    QVERIFY2(textOf(answers[4]).startsWith("the mask's parameter kv (line 2)"), qPrintable(textOf(answers[4])));
    QCOMPARE(textOf(answers[7]), QString("mask must be a file or a preset; Python is given as mask_text"));
  }

  /// What is no request does not end the server.
  void hostileInput() {
    const auto answers =
        answersTo({"{", "[]", "7", R"({"jsonrpc":"2.0","id":{},"method":"ping"})", R"({"id":1,"method":"ping"})",
                   request(2, "shutdown", {}), request(3, "tools/call", {{"name", "checc"}}), QByteArray(5 << 20, 'x'),
                   QByteArray(100, '[') + QByteArray(100, ']'), "\xff\xfe", request(9, "ping", {})});
    QList<int> codes;
    for (const QJsonObject& answer : answers) codes << errorOf(answer);
    QCOMPARE(codes, (QList<int>{-32700, -32600, -32600, -32600, -32600, -32601, -32602, -32600, -32700, -32700, 0}));
    QCOMPARE(answers[6]["error"]["message"].toString(), QString("unknown tool checc; did you mean check?"));
    QCOMPARE(answers.back()["id"].toInt(), 9);
    QVERIFY(answerToMessage(R"({"jsonrpc":"2.0","method":"no/such"})").empty());
  }

  void itTakesNoArguments() {
    compareRefused(runProgram(m_folder, {"mcp", "x"}), "vqscope: unexpected argument \"x\": mcp takes none\n");
  }

 private:
  static QString textOf(const QJsonObject& answer) {
    return answer["result"]["content"].toArray().first()["text"].toString();
  }

  /// The server's answers to these lines; it ends with them.
  QList<QJsonObject> answersTo(const QByteArrayList& lines) {
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(programPath(), {"mcp"});
    process.write(lines.join('\n') + "\n");
    process.closeWriteChannel();
    if (!process.waitForFinished(120'000) || process.exitCode() != 0) return {};
    QList<QJsonObject> answers;
    for (const QByteArray& line : process.readAllStandardOutput().split('\n'))
      if (!line.isEmpty()) answers << jsonOf(line);
    return answers;
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(McpTest)
#include "mcp_test.moc"
