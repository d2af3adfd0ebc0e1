// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_json.h"
#include "tests/support/compare.h"
#include "tests/support/environment.h"
#include "tests/support/needs_lab.h"
#include "tests/support/random_edits.h"
#include "tests/support/session_values.h"
#include "tests/support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Sessions that are tried; VQSCOPE_SESSIONS sets another number.
int sessions(int usual) { return countFrom("VQSCOPE_SESSIONS", usual); }

/// Something else in the place of one value of the tree, chosen at random.
class Damage {
 public:
  explicit Damage(std::uint64_t seed) : m_random(seed) {}

  QJsonValue damaged(const QJsonValue& value) {
    if (value.isObject() && !value.toObject().isEmpty() && m_random.bits() % 8 != 0) return inObject(value.toObject());
    if (value.isArray() && !value.toArray().isEmpty() && m_random.bits() % 8 != 0) return inArray(value.toArray());
    return instead();
  }

 private:
  QJsonValue inObject(QJsonObject object) {
    const QStringList keys = object.keys();
    const QString key = keys[static_cast<qsizetype>(m_random.bits() % static_cast<std::uint64_t>(keys.size()))];
    if (m_random.bits() % 10 == 0)
      object.remove(key);
    else if (m_random.bits() % 10 == 0)
      object[key + "_of_tomorrow"] = object[key];
    else
      object[key] = damaged(object[key]);
    return object;
  }

  QJsonValue inArray(QJsonArray array) {
    const auto at = static_cast<qsizetype>(m_random.bits() % static_cast<std::uint64_t>(array.size()));
    array[at] = damaged(array.at(at));
    return array;
  }

  QJsonValue instead() {
    static const QJsonArray all{-1,
                                0,
                                1,
                                3,
                                4.5,
                                1e300,
                                9007199254740993.0,
                                "",
                                "a",
                                "custom",
                                true,
                                QJsonValue(),
                                QJsonArray{},
                                QJsonObject{},
                                "causal",
                                65537,
                                "difference",
                                false,
                                QJsonArray{1, 2},
                                QString(100, 'x')};
    return all[static_cast<qsizetype>(m_random.bits() % static_cast<std::uint64_t>(all.size()))];
  }

  SeededRandom m_random;
};

}  // namespace

class SessionRoundTripTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A session opened from a damaged file can be saved again.
  void damagedValuesDoNotAffectOthers() {
    const int count = sessions(250);
    Workbench workbench;
    RandomEdits person(workbench, 7);
    for (int i = 0; i < count; ++i) {
      if (i % 25 == 0) workbench.setSession(default_session());
      person.step();
      QJsonValue root = QJsonDocument::fromJson(QByteArray::fromStdString(session_text(workbench.session()))).object();
      Damage damage(static_cast<std::uint64_t>(i));
      for (int k = 0; k <= i % 3; ++k) root = damage.damaged(root);
      const auto read = parse_session(QJsonDocument(root.toObject()).toJson().toStdString());
      if (!read) {
        QVERIFY2(read.error().message.find("vqscope") != std::string::npos, read.error().message.c_str());
        continue;
      }
      const auto text = summary(read->notes);
      QVERIFY2(QString::fromStdString(text).size() <= 400, text.c_str());
      QVERIFY2(lost(read->session).empty(),
               qPrintable(QStringLiteral("session %1: %2").arg(i).arg(lost(read->session).c_str())));
    }
  }

  /// Only the page with the bad value changes, and of it only that value.
  void oneBadValueIsReset() {
    Session session = default_session();
    set_value(*find_page(session, "rotary"), "q_length", Index{77});
    auto& page = *find_page(session, "buckets");
    set_value(page, "q_length", Index{99});
    const Session expected = session;
    page.own.set("max_distance", Index{-4});
    const auto read = parse_session(session_text(session));
    QVERIFY(read);
    QCOMPARE(read->session, expected);
    QCOMPARE(read->notes.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(read->notes[0]),
             QString("Buckets: max_distance is -4 but must be an integer from 2 to 2147483648; it is 128 now"));
  }

  /// Ranges that depend on other values are those of the values in the file.
  void rangesThatDependOnValues() {
    NEEDS_LAB();
    Workbench workbench;
    const auto show = [&](const char* method) {
      ShownPage next = workbench.page("experiments");
      next.method = method;
      const auto shown = workbench.edit("Show", next);
      QVERIFY2(shown, shown ? "" : shown.error().message.c_str());
    };
    int pair = 0;
    for (const auto& first : find_page_info("experiments")->choices())
      for (const auto& second : find_page_info("experiments")->choices()) {
        if (!isTried(pair++)) continue;
        show(first.c_str());
        show(second.c_str());
        COMPARE_TEXT(lost(workbench.session()), "");
      }
  }

  /// A value that one method of a page allows and another does not.
  void methodsOfAPageHaveRangesOfTheirOwn() {
    Workbench workbench;
    ShownPage next = workbench.page("tables");
    next.method = "learned_absolute";
    QVERIFY(workbench.edit("Show", next));
    next = workbench.page("tables");
    next.values.set("d_model", Index{60000});
    QVERIFY(workbench.edit("Change", next));
    COMPARE_TEXT(lost(workbench.session()), "");
    next = workbench.page("tables");
    next.method = "sinusoidal";
    QVERIFY(workbench.edit("Show", next));
    QCOMPARE(workbench.page("tables").values.integer("d_model"), Index{4096});
  }

  void longListsRoundTrip() {
    Session session = default_session();
    auto& page = *find_page(session, "masks");
    set_value(page, "mask", std::string("custom"));
    set_value(page, "mask_text", std::string("kv_idx >= g[q_idx]"));
    set_value(page, "text.g", std::vector<Index>(1 << 20, -2147483647));
    COMPARE_TEXT(lost(session), "");
    QVERIFY(session_text(session).size() < (16 << 20));
  }
};

VQSCOPE_TEST(SessionRoundTripTest)
#include "session_round_trip_test.moc"
