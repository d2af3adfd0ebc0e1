// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_json.h"

#include "core/method/value_json.h"
#include "core/session/resolve.h"
#include "core/session/shown_page.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <limits>

using namespace vqscope;

namespace {

QString errorOf(const QByteArray& json) {
  const auto session = parse_session(json.toStdString());
  return session ? QString("accepted") : QString::fromStdString(session.error().message);
}

/// A session with one page of buckets.
QByteArray buckets(const QByteArray& members) {
  return "{\"vqscope\": 1, \"workspaces\": [{\"id\": \"buckets\", " + members + "}]}";
}

}  // namespace

class SessionJsonTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void sessionsRoundTrip() {
    Session session = default_session();
    session.current = "curves";
    auto& page = *find_page(session, "buckets");
    page.own.set("q_length", Index{2147483648});
    page.own.set("bidirectional", false);
    page.own.set("precision", std::string("exact"));
    page.compare = CompareMode::difference;
    session.subject.model = "gemma-3";
    session.subject.model_file = "/models/gemma-3/config.json";
    session.subject.config = "{\"model_type\": \"gemma3_text\"}";
    session.subject.values.set("q_length", Index{99});
    session.subject.tokens = {"The", " cat", "\n"};
    session.subject.values.set("short_factor", std::vector<double>{1, 1.5});
    page.other.set("num_buckets", Index{64});
    page.aggregate = Aggregate::max;
    page.colour_map = "viridis";
    page.view = ViewRange{0.1, 1e9 / 3, -2.5, 7};
    page.keep_aspect = true;
    page.axes["t5_staircase"] = {true, false};
    auto& lint = find_page(session, "masks")->lint;
    lint.set("window", Index{128});
    lint.set("labels", std::vector<Index>{-100, 7});
    lint.set("dialect", std::string("sdpa"));
    find_page(session, "masks")->batch = {.file = "/data/batch.npz:mask",
                                          .as_mask = true,
                                          .threshold = -1e4,
                                          .sample = 3,
                                          .head = 1,
                                          .second = true,
                                          .text = true,
                                          .record = {.bytes = 4096, .checksum = "0123"}};
    const auto read = parse_session(session_text(session));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(read->session, session);
  }

  void aBatchWithoutAFileOrASampleIsLeftOut() {
    for (const char* batch :
         {R"({"sample": 1})", R"({"file": "a.npz", "sample": -1})", R"({"file": "a.npz", "head": 0.5})",
          R"({"file": "a.npz", "bytes": 1e300})", R"({"file": ""})"}) {
      const auto read =
          parse_session(std::string(R"({"vqscope": 2, "workspaces": [{"id": "masks", "batch": )") + batch + "}]}");
      QVERIFY2(read, read ? "" : read.error().message.c_str());
      QVERIFY(find_page(read->session, "masks")->batch == BatchChoice());
      QVERIFY2(std::ranges::count_if(read->notes,
                                     [](const std::string& note) {
                                       return note.ends_with(
                                           "batch must have a file, and a sample and a head from 0 on; "
                                           "it was left out");
                                     }) == 1,
               batch);
    }
  }

  /// Free names are read after their text; those that it no longer has are omitted.
  void freeNamesOfATextAreKept() {
    Session session = default_session();
    auto& page = *find_page(session, "masks");
    page.own.set("mask", std::string("custom"));
    page.own.set("mask_text", std::string("(q_idx - kv_idx < w) & (kv_idx >= g[q_idx])"));
    page.own.set("text.w", Index{7});
    page.own.set("text.g", std::vector<Index>(512, 3));
    const auto read = parse_session(session_text(session));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(read->session, session);
    page.own.set("mask", std::string("causal"));
    const ShownPage without_names = shown_page(session, "masks");
    QVERIFY(!without_names.values.find("text.w") && !without_names.own.find("text.w"));
  }

  /// Free names of a text once stood among the names of parameters.
  void sessionsOfFormerFreeNamesOpen() {
    const QByteArray json =
        "{\"vqscope\": 1, \"workspaces\": [{\"id\": \"masks\", \"values\": {\"mask\": \"custom\", \"q_length\": 16, "
        "\"mask_text\": \"(q_idx - kv_idx < w) & (kv_idx <= q_idx + sliding_window)\", \"w\": 3, "
        "\"sliding_window\": 2}}]}";
    const auto read = parse_session(json.toStdString());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY2(read->notes.empty(), summary(read->notes).c_str());
    const auto& values = shown_page(read->session, "masks").values;
    QCOMPARE(values.integer("text.w"), Index{3});
    QCOMPARE(values.integer("text.sliding_window"), Index{2});
    QVERIFY(!values.find("w"));
    QCOMPARE(parse_session(session_text(read->session))->session, read->session);
  }

  /// A text may leave names free that are also those of parameters: what was set is the parameter's
  /// alone.
  void aParameterSetsNoFreeNameOfItsName() {
    Session session = default_session();
    auto& page = *find_page(session, "masks");
    page.own.set("mask", std::string("custom"));
    page.own.set("mask_text", std::string("(q_idx >= mask) | (kv_idx < mask_text) | (kv_idx < sliding_window)"));
    page.own.set("sliding_window", Index{5});
    const ParameterValues values = shown_page(session, "masks").values;
    QVERIFY(values.find("text.mask") && values.find("text.mask_text"));
    const auto read = parse_session(session_text(session));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY2(read->notes.empty(), summary(read->notes).c_str());
    QCOMPARE(read->session, session);
  }

  /// The terms of a text are those of one text alone.
  void termsOfAFormerTextAreRemoved() {
    Session session = default_session();
    ShownPage page = shown_page(session, "masks");
    page.own.set("mask", std::string("custom"));
    page.own.set("mask_text", std::string("(kv_idx <= q_idx) & (q_idx - kv_idx < 4)"));
    page.own.set("terms_off", std::vector<std::string>{"kv_idx <= q_idx"});
    resolve_page(page, {});
    QVERIFY(page.own.find("terms_off"));
    page.own.set("mask_text", std::string("kv_idx <= q_idx"));
    resolve_page(page, {});
    QVERIFY(!page.own.find("terms_off") && !page.values.find("terms_off"));
    page.own.set("mask_text", std::string("terms_off | mask"));
    resolve_page(page, {});
    *find_page(session, "masks") = kept_page(page);
    const auto read = parse_session(session_text(session));
    QVERIFY2(read && read->notes.empty(), read ? summary(read->notes).c_str() : read.error().message.c_str());
    QCOMPARE(read->session, session);
  }

  void missingNamesAreDefaults() {
    QCOMPARE(parse_session("{\"vqscope\": 1}")->session, default_session());
    Session expected = default_session();
    find_page(expected, "buckets")->own.set("q_length", Index{7});
    QCOMPARE(parse_session(buckets("\"values\": {\"q_length\": 7}").toStdString())->session, expected);
  }

  void errors_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("message");
    const auto add = [](const char* name, const QByteArray& json, const char* message) {
      QTest::newRow(name) << json << QString::fromUtf8(message);
    };
    add("empty", "", "line 1, column 1: the text is empty, expected a JSON value");
    add("cut", "{\"vqscope\": 1,\n\"workspaces\": [\n", "line 3, column 1: the text ends, expected a JSON value");
    add("NaN", buckets("\n\"values\": {\"q_length\": NaN}"), "line 2, column 24: found NaN, expected a JSON value");
    add("deep", QByteArray(100000, '['), "line 1, column 66: values are nested more than 64 levels deep");
    add("array", "[]", "not a session: found a list of 0 items, expected an object");
    add("other file", "{\"a\": 1}", "not a session: the name vqscope is missing");
    add("version", "{\"vqscope\": \"a\"}", "vqscope is \"a\" but must be the version of its format, 1 to 3");
    add("no version", "{\"vqscope\": 0}", "vqscope is 0 but must be the version of its format, 1 to 3");
  }

  void errors() {
    QFETCH(QByteArray, json);
    QFETCH(QString, message);
    QCOMPARE(errorOf(json), message);
  }

  void notes_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("note");
    const auto add = [](const char* name, const QByteArray& json, const char* note) {
      QTest::newRow(name) << json << QString::fromUtf8(note);
    };
    add("newer", "{\"vqscope\": 4}", "it was written by a newer program, in format 4; unknown content was ignored");
    add("current", "{\"vqscope\": 1, \"current\": \"bucket\"}",
        "unknown page bucket; did you mean buckets?; start is shown");
    add("workspaces", "{\"vqscope\": 1, \"workspaces\": {}}", "workspaces is an object but must be a list of objects");
    add("no page", "{\"vqscope\": 1, \"workspaces\": [\"x\"]}",
        "a page is \"x\" but must be an object; it was left out");
    add("numbers", "{\"vqscope\": 1, \"workspaces\": [3]}",
        "workspaces is a list of 1 item but must be a list of objects");
    add("unknown page", "{\"vqscope\": 1, \"workspaces\": [{\"id\": \"layers\"}]}",
        "unknown page layers; it was left out");
    add("twice", "{\"vqscope\": 1, \"workspaces\": [{\"id\": \"buckets\"}, {\"id\": \"buckets\"}]}",
        "page buckets appears twice; the first is used");
    add("subject", "{\"vqscope\": 2, \"subject\": []}", "subject is a list of 0 items but must be an object");
    add("subject's name", "{\"vqscope\": 2, \"subject\": {\"values\": {\"mask\": \"causal\"}}}",
        "subject: unknown parameter mask; it was left out");
    add("subject's tokens", "{\"vqscope\": 2, \"subject\": {\"tokens\": [\"The\", 5]}}",
        "subject.tokens is a list of 2 items but must be a list of texts");
    add("subject's value", "{\"vqscope\": 2, \"subject\": {\"values\": {\"q_length\": 0}}}",
        "subject: q_length is 0 but must be an integer from 1 to 2147483648; it was left out");
    add("name", "{\"vqscope\": 1, \"workspace\": []}",
        "unknown name workspace; did you mean workspaces?; it was left out");
    add("contract",
        "{\"vqscope\": 1, \"workspaces\": [{\"id\": \"masks\", \"contract\": {\"objective\": \"casual\"}}]}",
        "Masks: objective is casual but must be one of automatic, causal, prefix, bidirectional, cross, causal_spans, "
        "block_causal, chunked; did "
        "you mean "
        "causal?; it is automatic now");
    const auto page = [&](const char* name, const QByteArray& members, const char* note) {
      QTest::newRow(name) << buckets(members) << "Buckets: " + QString::fromUtf8(note);
    };
    page("contract of buckets", "\"contract\": {\"window\": 3}", "unknown parameter window; it was left out");
    page("method", "\"method\": \"t5_buckets\"",
         "unknown method t5_buckets; did you mean t5_bucket?; t5_bucket is shown");
    page("parameter", "\"values\": {\"q_lenght\": 4}",
         "unknown parameter q_lenght; did you mean q_length?; it was left out");
    page("type", "\"values\": {\"q_length\": \"4\"}",
         "q_length is \"4\" but must be an integer from 1 to 2147483648; it is 512 now");
    page("fraction", "\"values\": {\"q_length\": 4.5}",
         "q_length is 4.5 but must be an integer from 1 to 2147483648; it is 512 now");
    page("range", "\"values\": {\"q_length\": 0}",
         "q_length is 0 but must be an integer from 1 to 2147483648; it is 512 now");
    page("huge", "\"values\": {\"q_length\": 1e300}",
         "q_length is 1e+300 but must be an integer from 1 to 2147483648; it is 512 now");
    page("choice", "\"values\": {\"precision\": \"exct\"}",
         "precision is exct but must be one of hf_float32, exact, float64, bfloat16, float16; did you mean exact?; it "
         "is "
         "hf_float32 now");
    page("values", "\"values\": []", "values is a list of 0 items but must be an object; it was left out");
    page("compare", "\"compare\": 1", "compare is 1 but must be one of none, side_by_side, difference; it is none now");
    page("view", "\"view\": {\"rows\": [0, 0], \"cols\": [0, 1]}",
         "view must have an ascending pair of numbers for rows and for cols; the whole matrix is shown");
    page("colour map", "\"colour_map\": \"jet\"",
         "colour_map is \"jet\" but must be a colour map's id; the method's own is used");
    page("axes", "\"axes\": {\"t5_staircase\": [1]}",
         "axes.t5_staircase is a list of 1 item but must be [log_x, log_y], each true or false; the method's own axes "
         "are "
         "used");
    page("square", "\"keep_aspect\": 1", "keep_aspect is 1 but must be true or false; it is false now");
    page("check", "\"values\": {\"num_buckets\": 33}",
         "num_buckets is 33 but must be even when bidirectional; num_buckets is 32 now");
    page("side B", "\"compare\": \"side_by_side\", \"other\": {\"num_buckets\": 33}",
         "num_buckets is 33 but must be even when bidirectional; num_buckets is 32 now");
  }

  /// Side B is read equally whatever an earlier page has.
  void noteOfOnePageDoesNotAffectOthers() {
    const std::string compared =
        "{\"id\": \"buckets\", \"compare\": \"side_by_side\", \"values\": {\"num_buckets\": 33}, "
        "\"set_aside\": [\"num_buckets\"], \"other\": {\"num_buckets\": 33}}";
    const auto opened = [&](const std::string& before) {
      return parse_session("{\"vqscope\": 2, \"workspaces\": [" + before + compared + "]}").value();
    };
    const auto plain = opened(""), noted = opened("{\"id\": \"masks\", \"values\": {\"nonsense\": 1}},");
    QCOMPARE(noted.session, plain.session);
    QCOMPARE(noted.notes.size(), plain.notes.size() + 1);
    for (std::size_t i = 0; i < plain.notes.size(); ++i) QCOMPARE(noted.notes[i + 1], plain.notes[i]);
  }

  /// Files of format 1 list all values of a page. Those at the default were not set, so that they
  /// follow the subject; the others stay as they were.
  void sessionsOfBeforeOpen() {
    const auto all_values = default_session();
    JsonObject root = session_json(all_values);
    root["vqscope"] = 1;
    JsonArray pages;
    for (const auto* id : {"masks", "rotary"}) {
      auto values = shown_page(all_values, id).values;
      values.set("q_length", Index{id == std::string("masks") ? 64 : 8192});
      JsonObject page{{"id", id}};
      page.emplace("values", json_of(values));
      page.emplace("other", json_of(values));
      pages.emplace_back(std::move(page));
    }
    root["workspaces"] = std::move(pages);
    auto read = parse_session(compact_json(root));
    QVERIFY2(read && read->notes.empty(), read ? summary(read->notes).c_str() : read.error().message.c_str());
    Session& session = read->session;
    QCOMPARE(find_page(session, "masks")->own.map().size(), std::size_t{1});
    QVERIFY(find_page(session, "rotary")->own.map().empty());
    session.subject.values.set("q_length", Index{1000});
    QCOMPARE(shown_page(session, "masks").values.integer("q_length"), Index{64});
    QCOMPARE(shown_page(session, "rotary").values.integer("q_length"), Index{1000});
    QCOMPARE(parse_session(session_text(session))->session, session);
  }

  /// Omitted parts are reported, and the rest is opened.
  void notes() {
    QFETCH(QByteArray, json);
    QFETCH(QString, note);
    const auto read = parse_session(json.toStdString());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(read->notes.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(read->notes[0]).replace(", B:", ":"), note);
  }

  /// The files of before were Qt's: theirs and ours are the same bytes, short lists a number a
  /// line, long ones not.
  void fileBytesEqualThoseOfQt() {
    Session session = default_session();
    auto& page = *find_page(session, "masks");
    page.own.set("mask_text", std::string("# ü \t\nq_idx >= kv_idx"));
    page.view = ViewRange{0, 1e9 / 3, -2.5, 7};
    find_page(session, "buckets")->axes["t5_staircase"] = {true, false};
    const auto byQt = [&](QJsonDocument::JsonFormat layout) {
      return QJsonDocument::fromJson(QByteArray::fromStdString(session_text(session))).toJson(layout).toStdString();
    };
    COMPARE_TEXT(session_text(session), byQt(QJsonDocument::Indented));
    page.own.set("text.g", std::vector<Index>(4097, 3));
    COMPARE_TEXT(session_text(session), byQt(QJsonDocument::Compact));
    COMPARE_TEXT(session_text({"buckets", {}, {}}),
                 "{\n    \"current\": \"buckets\",\n    \"subject\": {\n        \"config\": \"\",\n        "
                 "\"model\": \"\",\n        \"values\": {\n        }\n    },\n    \"vqscope\": 3,\n    "
                 "\"workspaces\": [\n    ]\n}\n");
  }

  /// A file's name need not be UTF-8; what an editor puts before a text is no part of it; of a name
  /// that appears twice the last is taken.
  void oddTextsOpen() {
    Session session = default_session();
    auto& page = *find_page(session, "scores");
    page.method = "rope_own_scores";
    const auto specs = specs_of_page(*find_page_info("scores"), shown_page(session, "scores").values, page.method);
    const auto tensor = std::ranges::find(specs, ParameterKind::tensor, &ParameterSpec::kind);
    QVERIFY(tensor != specs.end());
    page.own.set(tensor->name, std::string("k\xff.npy"));
    const auto read = parse_session("\xef\xbb\xbf" + session_text(session));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(shown_page(read->session, "scores").values.text(tensor->name), std::string("k\xff.npy"));
    const auto twice = parse_session(buckets("\"values\": {\"q_length\": 7, \"q_length\": 9}").toStdString());
    QVERIFY(twice && twice->notes.empty());
    QCOMPARE(shown_page(twice->session, "buckets").values.integer("q_length"), Index{9});
  }

  /// Other content of a file besides the session is ignored.
  void otherContentBesideASessionIsIgnored() {
    JsonObject root = session_json(default_session());
    root.emplace("document", JsonObject{{"path", "a"}});
    const auto json = parse_session_json(compact_json(root));
    QVERIFY(json);
    COMPARE_TEXT(*json->find("document")->find("path")->text(), "a");
    const auto read = session_in(*json);
    QVERIFY(read && read->notes.empty());
    QCOMPARE(read->session, default_session());
  }

  /// A file could have more small values than memory holds.
  void hostileFilesAreRefusedBeforeTheyFillMemory() {
    std::string pages = "{\"vqscope\": 1, \"workspaces\": [";
    for (int i = 0; i < (1 << 20); ++i) pages += "[],";
    COMPARE_TEXT(errorOf(QByteArray::fromStdString(pages + "[]]}")).toStdString(),
                 "line 1, column 3145750: there are more than 1048576 values");
  }

  void manyNotesAreCounted() {
    Notes notes(40, "Buckets: " + std::string(80, 'x'));
    const QString notice = QString::fromStdString(summary(notes));
    QVERIFY2(notice.size() <= 400 && notice.endsWith("; and 37 more"), qPrintable(notice));
    QVERIFY(summary({}).empty());
  }

  /// Whatever is cut off or put in place of a byte: a sentence or a session, never a crash.
  void damagedSessionsAreRead() {
    const QByteArray whole = QByteArray::fromStdString(session_text(default_session())).trimmed();
    for (qsizetype i = 0; i < whole.size(); i += 211) {
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
    const std::string path = folder.filePath("a.vqscope").toStdString();
    QVERIFY(write_session(default_session(), path));
    QCOMPARE(read_session(path)->session, default_session());
    QCOMPARE(QString::fromStdString(read_session(folder.filePath("b.vqscope").toStdString()).error().message),
             folder.filePath("b.vqscope") + ": No such file or directory");
    QVERIFY(!write_session(default_session(), folder.filePath("no/a.vqscope").toStdString()));
  }
};

VQSCOPE_TEST(SessionJsonTest)
#include "session_json_test.moc"
