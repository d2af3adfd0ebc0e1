// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/freshness.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class FreshnessTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void currentHasNoText() {
    const Freshness now;
    QVERIFY(now.isCurrent() && !now.isOutdated());
    QVERIFY(now.badge().isEmpty() && now.banner().isEmpty() && now.refusal().isEmpty());
  }

  void computingHasABadgeAndARefusal() {
    const Freshness now = Freshness::computing();
    QCOMPARE(now.badge(), QString("computing"));
    QVERIFY(now.banner().isEmpty());
    QCOMPARE(now.refusal(), QString("The new values are still being computed; try again when they are shown"));
  }

  void outdatedNamesTheError() {
    const Freshness now = Freshness::outdated("q_length is 0 but must be at least 1");
    QCOMPARE(now.badge(), QString("not up to date"));
    QCOMPARE(now.banner(),
             QString("Shows the last valid result, from before this error: q_length is 0 but must be at least 1"));
    QCOMPARE(now.refusal(), QString("Fix the error first: q_length is 0 but must be at least 1"));
  }

  /// No earlier result is shown, so it is not mentioned.
  void anEmptyPlaceNamesTheErrorAlone() {
    Freshness now = Freshness::outdated("q_length is 0 but must be at least 1");
    now.isEmpty = true;
    QCOMPARE(now.badge(), QString("no result"));
    QCOMPARE(now.banner(), QString("q_length is 0 but must be at least 1"));
    QCOMPARE(now.refusal(), QString("Fix the error first: q_length is 0 but must be at least 1"));
  }

  /// Results say in short what stands whole at its field.
  void aBriefCauseStandsOverResults() {
    Freshness now = Freshness::outdated("mask_text, line 3, column 1: unexpected )");
    now.brief = "the mask's text has an error (line 3)";
    QCOMPARE(now.banner(), QString("Shows the last valid result: the mask's text has an error (line 3)"));
    now.isEmpty = true;
    QCOMPARE(now.banner(), QString("No picture: the mask's text has an error (line 3)"));
    QVERIFY(now.refusal().contains("unexpected )"));
  }

  /// No error: a result on request shows how to request it.
  void onRequestShowsItsCause() {
    const Freshness now = Freshness::onRequest("Press Run");
    QCOMPARE(now.badge(), QString("not up to date"));
    QCOMPARE(now.banner(), QString("Press Run"));
    QCOMPARE(now.refusal(), QString("Press Run"));
  }

  void worseFreshnessIsFurtherFromTheForm() {
    const Freshness current;
    const Freshness computing = Freshness::computing();
    const Freshness outdated = Freshness::outdated("x");
    QCOMPARE(worse(current, computing), computing);
    QCOMPARE(worse(computing, current), computing);
    QCOMPARE(worse(outdated, computing), outdated);
    QCOMPARE(worse(computing, outdated), outdated);
    QCOMPARE(worse(outdated, Freshness::outdated("y")).cause, QString("x"));
  }
};

VQSCOPE_TEST(FreshnessTest)
#include "freshness_test.moc"
