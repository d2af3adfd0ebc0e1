// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/session_json.h"

#include "tests/support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace vqscope;

namespace {

QString errorOf(const QByteArray& json) {
  const auto session = sessionFromJson(json);
  return session ? QString("accepted") : QString::fromStdString(session.error().message);
}

/// A session with one page of buckets.
QByteArray buckets(const QByteArray& members) {
  return "{\"vqscope\": 1, \"workspaces\": [{\"id\": \"buckets\", " + members + "}]}";
}

}  // namespace

class SessionJsonTest : public QObject {
  Q_OBJECT

 private slots:
  void everythingComesBack() {
    Session session = defaultSession();
    session.current = "curves";
    auto& page = *findWorkspace(session, "buckets");
    page.values.set("q_length", Index{2147483648});
    page.values.set("bidirectional", false);
    page.values.set("precision", std::string("exact"));
    page.compare = CompareMode::difference;
    page.other.set("num_buckets", Index{64});
    page.aggregate = Aggregate::max;
    page.colour_map = "viridis";
    page.view = ViewRange{0.1, 1e9 / 3, -2.5, 7};
    page.keep_aspect = true;
    page.axes["t5_staircase"] = {true, false};
    auto& contract = findWorkspace(session, "masks")->contract;
    contract.set("window", Index{128});
    contract.set("labels", std::vector<Index>{-100, 7});
    contract.set("dialect", std::string("sdpa"));
    const auto read = sessionFromJson(sessionToJson(session));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(*read, session);
  }

  /// What a text brings along is read after it, and what it has no longer is left out.
  void freeNamesOfATextAreKept() {
    Session session = defaultSession();
    auto& page = *findWorkspace(session, "masks");
    const auto before = page;
    page.values.set("mask", std::string("custom"));
    page.values.set("mask_text", std::string("(q_idx - kv_idx < w) & (kv_idx >= g[q_idx])"));
    completeWorkspace(page, before);
    page.values.set("text.w", Index{7});
    page.values.set("text.g", std::vector<Index>(512, 3));
    const auto read = sessionFromJson(sessionToJson(session));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(*read, session);
    page.values.set("mask", std::string("causal"));
    completeWorkspace(page, before);
    QVERIFY(!page.values.find("text.w"));
  }

  /// Free names of a text once stood among the names of parameters.
  void sessionsOfFormerFreeNamesOpen() {
    const QByteArray json =
        "{\"vqscope\": 1, \"workspaces\": [{\"id\": \"masks\", \"values\": {\"mask\": \"custom\", \"q_length\": 16, "
        "\"mask_text\": \"(q_idx - kv_idx < w) & (kv_idx <= q_idx + sliding_window)\", \"w\": 3, "
        "\"sliding_window\": 2}}]}";
    const auto read = sessionFromJson(json);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    const auto& values = findWorkspace(*read, "masks")->values;
    QCOMPARE(values.integer("text.w"), Index{3});
    QCOMPARE(values.integer("text.sliding_window"), Index{2});
    QVERIFY(!values.find("w"));
    QCOMPARE(*sessionFromJson(sessionToJson(*read)), *read);
  }

  void whatIsNotNamedIsTheDefault() {
    QCOMPARE(*sessionFromJson("{\"vqscope\": 1}"), defaultSession());
    Session expected = defaultSession();
    findWorkspace(expected, "buckets")->values.set("q_length", Index{7});
    QCOMPARE(*sessionFromJson(buckets("\"values\": {\"q_length\": 7}")), expected);
  }

  void errors_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("message");
    const auto add = [](const char* name, const QByteArray& json, const char* message) {
      QTest::newRow(name) << json << QString::fromUtf8(message);
    };
    add("empty", "", "line 1: not JSON, illegal value");
    add("cut", "{\"vqscope\": 1,\n\"workspaces\": [\n", "line 3: not JSON, unterminated array");
    add("NaN", buckets("\n\"values\": {\"q_length\": NaN}"), "line 2: not JSON, illegal number");
    add("deep", QByteArray(100000, '['), "line 1: not JSON, too deeply nested document");
    add("array", "[]", "not a session: an array where an object must be");
    add("other file", "{\"a\": 1}", "not a session: the name vqscope is missing");
    add("version", "{\"vqscope\": 2}", "vqscope is 2, must be 1, the version of the format that this program reads");
    add("current", "{\"vqscope\": 1, \"current\": \"bucket\"}",
        "current: unknown workspace bucket; did you mean buckets?");
    add("workspaces", "{\"vqscope\": 1, \"workspaces\": {}}", "workspaces is an object, must be an array");
    add("twice", "{\"vqscope\": 1, \"workspaces\": [{\"id\": \"buckets\"}, {\"id\": \"buckets\"}]}",
        "workspace buckets is there twice");
    add("name", "{\"vqscope\": 1, \"workspace\": []}", "unknown name workspace; did you mean workspaces?");
    add("contract of buckets", buckets("\"contract\": {\"window\": 3}"), "workspace buckets: unknown parameter window");
    add("contract",
        "{\"vqscope\": 1, \"workspaces\": [{\"id\": \"masks\", \"contract\": {\"objective\": \"casual\"}}]}",
        "workspace masks: objective is casual, must be one of automatic, causal, prefix, bidirectional, cross; did you "
        "mean "
        "causal?");
    const auto page = [&](const char* name, const QByteArray& members, const char* message) {
      QTest::newRow(name) << buckets(members) << "workspace buckets: " + QString::fromUtf8(message);
    };
    page("method", "\"method\": \"t5_buckets\"", "unknown method t5_buckets; did you mean t5_bucket?");
    page("parameter", "\"values\": {\"q_lenght\": 4}", "unknown parameter q_lenght; did you mean q_length?");
    page("type", "\"values\": {\"q_length\": \"4\"}", "q_length is \"4\", must be an integer from 1 to 2147483648");
    page("fraction", "\"values\": {\"q_length\": 4.5}", "q_length is 4.5, must be an integer from 1 to 2147483648");
    page("range", "\"values\": {\"q_length\": 0}", "q_length is 0, must be an integer from 1 to 2147483648");
    page("huge", "\"values\": {\"q_length\": 1e300}", "q_length is 1e+300, must be an integer from 1 to 2147483648");
    page("choice", "\"values\": {\"precision\": \"exct\"}",
         "precision is exct, must be one of hf_float32, exact, float64, bfloat16, float16; did you mean exact?");
    page("values", "\"values\": []", "values is an array, must be an object");
    page("compare", "\"compare\": 1", "compare is 1, must be one of none, side_by_side, difference");
    page("view", "\"view\": {\"rows\": [0, 0], \"cols\": [0, 1]}",
         "view.rows is an array, must be two ascending numbers of cells");
    page("check", "\"values\": {\"num_buckets\": 33}", "num_buckets is 33, must be even when bidirectional");
  }

  void errors() {
    QFETCH(QByteArray, json);
    QFETCH(QString, message);
    QCOMPARE(errorOf(json), message);
  }

  /// Whatever is cut off or put in place of a byte: a sentence or a session, never a crash.
  void damageIsSurvived() {
    const QByteArray whole = sessionToJson(defaultSession()).trimmed();
    for (qsizetype i = 0; i < whole.size(); i += 3) {
      QVERIFY(errorOf(whole.left(i)) != "accepted");
      for (const char c : {'\0', '"', '9', '{', '\xff'}) {
        QByteArray damaged = whole;
        damaged[i] = c;
        QVERIFY(!errorOf(damaged).isEmpty());
      }
    }
  }

  void files() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.vqscope");
    QVERIFY(writeSession(defaultSession(), path));
    QCOMPARE(*readSession(path), defaultSession());
    QCOMPARE(QString::fromStdString(readSession(folder.filePath("b.vqscope")).error().message),
             folder.filePath("b.vqscope") + ": No such file or directory");
    QVERIFY(!writeSession(defaultSession(), folder.filePath("no/a.vqscope")));
  }
};

VQSCOPE_TEST(SessionJsonTest)
#include "session_json_test.moc"
