// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/output/exporter.h"
#include "core/session/session_json.h"
#include "tests/app/program.h"
#include "tests/support/environment.h"
#include "tests/support/needs_lab.h"
#include "tests/support/paths.h"
#include "tests/support/quick_settings.h"
#include "tests/support/session_values.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSize>
#include <QTest>
#include <QtEndian>

#include <sys/resource.h>
#include <csignal>
#include <memory>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The file has no name yet, so its size comes from the kernel.
qint64 bytesWrittenBy(qint64 process) {
  QFile file(QString("/proc/%1/io").arg(process));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  for (const auto& line : file.readAll().split('\n'))
    if (line.startsWith("wchar: ")) return line.mid(7).toLongLong();
  return 0;
}

/// By the header.
QSize pngSize(const QByteArray& png) {
  return {qFromBigEndian<int>(png.constData() + 16), qFromBigEndian<int>(png.constData() + 20)};
}

/// Those that the built program can write.
QStringList suffixes() {
  QStringList all;
  for (const auto& suffix : export_suffixes())
    if (makesFigures() || !is_figure_format(suffix)) all << QString::fromStdString(suffix);
  return all;
}

}  // namespace

class ExportTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void csvOfTheWorkedExample() {
    QCOMPARE(exported({"t5_bucket", "--set", "q_length=4", "--out", "a.csv"}), QByteArray());
    QCOMPARE(content("a.csv"), QByteArray("query\\key,0,1,2,3\n0,0,17,18,19\n1,1,0,17,18\n2,2,1,0,17\n3,3,2,1,0\n"));
  }

  void countsAcceptSuffixesAndPowers() {
    QCOMPARE(exported({"t5_bucket", "--set", "q_length=2M", "--rows", "1M:1_048_577", "--cols", "2^20:1048578", "--out",
                       "a.csv"}),
             QByteArray());
    QCOMPARE(content("a.csv"), QByteArray("query\\key,1048576,1048577\n1048576,0,17\n"));
  }

  void npyBytes() {
    QCOMPARE(exported({"t5_bucket", "--set=q_length=2", "--out=a.npy"}), QByteArray());
    const QByteArray dictionary = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }";
    const QByteArray expected = QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + dictionary.leftJustified(117, ' ') +
                                "\n" + QByteArray("\0\0\0\0\x11\0\0\0\1\0\0\0\0\0\0\0", 16);
    QCOMPARE(content("a.npy"), expected);
  }

  void jsonOfABlock() {
    QCOMPARE(exported({"t5_bucket", "--set", "q_length=8", "--rows", "2:4", "--cols", ":3", "--out", "a.json"}),
             QByteArray());
    const QJsonObject json = QJsonDocument::fromJson(content("a.json")).object();
    QCOMPARE(json["method"].toString(), QString("t5_bucket"));
    QCOMPARE(json["parameters"]["q_length"].toInt(), 8);
    QCOMPARE(json["shape"].toArray(), (QJsonArray{2, 3}));
    QCOMPARE(json["values"].toArray(), (QJsonArray{QJsonArray{2, 1, 0}, QJsonArray{3, 2, 1}}));
  }

  /// The remark on the values is printed to stderr and is part of the JSON.
  void aRemark() {
    NEEDS_LAB();
    const QByteArray sentence =
        "Linear form with block_len 128: the bias is not constant beyond distance 128: it is -64.5 at 129 and -65 at "
        "130, and changes by 35 up to 199; only the quadratic form is exact.";
    QCOMPARE(
        exported({"vq_weights", "--set", "bias=alibi", "--set", "q_length=200", "--rows", "0:2", "--out", "a.json"}),
        "vqscope: " + sentence + "\n");
    QCOMPARE(QJsonDocument::fromJson(content("a.json")).object()["remark"].toString().toUtf8(), sentence);
  }

  /// A mask that no interval solves is evaluated cell by cell: what takes too long is refused
  /// before it is done.
  void cellsThatTakeTooLong() {
    QByteArray text = "return ((q_idx * kv_idx) % 1009 < 3)";
    for (int i = 1; i < 30; ++i) text += " | ((q_idx * " + QByteArray::number(i) + " + kv_idx) % 1013 == 5)";
    const QString mask = writtenFile(*m_folder, "hard.py", text);
    const QStringList all{"visibility", "--mask", mask, "--set", "q_length=32768"};
    const QByteArray refused = exported(all + QStringList{"--out", "a.npy"});
    QVERIFY2(refused.startsWith("status 2: vqscope: writing 32768 × 32768 cells of this matrix takes too long, about "),
             refused);
    QVERIFY2(refused.endsWith("; choose fewer rows and columns or fewer tokens; --force writes it anyway\n"), refused);
    QVERIFY(!QFile::exists(m_folder->filePath("a.npy")));
    QCOMPARE(exported(all + QStringList{"--rows", "0:4", "--cols", "0:4", "--out", "a.npy"}), QByteArray());
    if (!makesFigures()) return;
    // A figure of blocks without an answer has the reason.
    const QByteArray blocks = exported(
        {"mask_blocks", "--mask", mask, "--set", "q_length=2147483648", "--set", "block_size=65536", "--out", "a.png"});
    QVERIFY2(blocks.isEmpty() || blocks.contains("finding out what is in these blocks takes too long"), blocks);
  }

  void curves() {
    QCOMPARE(exported({"t5_staircase", "--set", "num_buckets=4", "--set", "max_distance=3", "--set",
                       "bidirectional=false", "--out", "a.csv"}),
             QByteArray());
    QVERIFY(content("a.csv").startsWith("relative_position,bucket\n-5,3\n"));
  }

  void programWithoutFiguresRefusesThem() {
    if (makesFigures()) QSKIP("This program makes figures");
    QCOMPARE(exported({"t5_bucket", "--out", "a.csv", "a.png"}, 2),
             "vqscope: this vqscope makes no figures, such as a.png; .csv, .npy and .json hold the numbers\n");
    QCOMPARE(namesIn(*m_folder), QStringList());
  }

  void figuresNeedNoDisplayAndAreTheSameTwice() {
    if (!makesFigures()) QSKIP("This program makes no figures");
    const QStringList arguments{"t5_bucket", "--set", "q_length=16", "--aggregate", "max", "--out", "a.png", "a.svg"};
    QCOMPARE(exported(arguments), QByteArray());
    const QByteArray png = content("a.png");
    const QByteArray svg = content("a.svg");
    QVERIFY(png.startsWith("\x89PNG"));
    QVERIFY(svg.contains("<svg"));
    QCOMPARE(exported(arguments), QByteArray());
    QCOMPARE(content("a.png"), png);
    QCOMPARE(content("a.svg"), svg);
  }

  void figuresHaveTheirSize() {
    if (!makesFigures()) QSKIP("This program makes no figures");
    QCOMPARE(exported({"t5_bucket", "--set", "q_length=8", "--width", "84.67mm", "--height=240px", "--dpi", "96",
                       "--out", "a.png", "a.svg"}),
             QByteArray());
    QCOMPARE(pngSize(content("a.png")), QSize(320, 240));
    QVERIFY(content("a.svg").contains("viewBox=\"0 0 320.013 240\""));
    QCOMPARE(exported({"rope_wavelength", "--width", "240", "--height", "240", "--out", "b.png"}), QByteArray());
    QCOMPARE(pngSize(content("b.png")), QSize(480, 480));
    QCOMPARE(exported({"rope_wavelength", "--width", "300", "--dpi", "96", "--out", "c.png"}), QByteArray());
    QCOMPARE(pngSize(content("c.png")), QSize(300, 250));
  }

  void everyMethodInEveryFormat_data() {
    QTest::addColumn<bool>("matrix");
    qsizetype number = 0;
    for (const auto& method : methods())
      if (!method.run() && isTried(number++)) QTest::newRow(method.id.c_str()) << (method.field() != nullptr);
  }

  void everyMethodInEveryFormat() {
    QFETCH(bool, matrix);
    QStringList arguments{QTest::currentDataTag(), "--out"};
    for (const auto& suffix : suffixes()) arguments.append("a." + suffix);
    if (matrix) arguments += {"--rows", "0:2", "--cols", ":3"};
    if (QByteArray(QTest::currentDataTag()) == "mask_blocks") arguments += {"--set", "block_size=64"};
    const Method& method = *find_method(QTest::currentDataTag());
    for (const auto& [name, text] : quick_settings(method))
      arguments += {"--set", QString::fromStdString(name + "=" + text)};
    const QStringList named_remarks{"sink_softmax", "vq_occupancy", "vq_rotation_orders"};
    const auto remark = [&]() -> std::string {
      if (method.id == "kv_cache") return "2\u202f097\u202f152 tokens need 256 GiB; 80 GiB hold 655\u202f360 tokens";
      if (!method.remark || (method.category == "experiments" && !named_remarks.contains(method.id.c_str()))) return {};
      return method.remark(default_values(method.parameters), {});
    }();
    QCOMPARE(exported(arguments), QByteArray::fromStdString(remark.empty() ? "" : "vqscope: " + remark + "\n"));
    QCOMPARE(namesIn(*m_folder).size(), suffixes().size());
    const QByteArray csv = content("a.csv");
    const bool named = matrix && method.field()->col_name;
    const std::string column = named ? method.field()->col_name(default_values(method.parameters)) : "key";
    const std::string row = matrix ? method.field()->row_name : "";
    QVERIFY(!matrix || csv.startsWith((row + "\\" + column + ",0,1,2\n0,").c_str()));
    QVERIFY(content("a.npy").startsWith("\x93NUMPY"));
    const QJsonObject json = QJsonDocument::fromJson(content("a.json")).object();
    QCOMPARE(json["method"].toString(), QString(QTest::currentDataTag()));
    QCOMPARE(json["values"].toArray().size(), csv.count('\n') - 1);
    if (!makesFigures()) return;
    QVERIFY(content("a.png").startsWith("\x89PNG"));
    QVERIFY(content("a.svg").contains("<svg"));
    QVERIFY(content("a.pdf").startsWith("%PDF"));
  }

  void methodDefaultsApplyWithoutASession() {
    QCOMPARE(exported({"rope_wavelength", "--out", "a.csv"}), QByteArray());
    QVERIFY2(content("a.csv").startsWith("pair,default\n"), content("a.csv").left(60));
    QVERIFY(write_session(default_session(), m_folder->filePath("s.vqscope").toStdString()));
    QCOMPARE(exported({"rope_wavelength", "--session", "s.vqscope", "--out", "a.csv"}), QByteArray());
    QVERIFY2(content("a.csv").startsWith("pair,default,linear,ntk,dynamic\n"), content("a.csv").left(60));
  }

  void parametersApplyToBothSidesOfADifference() {
    QCOMPARE(exported({"rope_cos", "--set", "q_length=4", "--set", "factor=8", "--minus", "rope_type=linear", "--out",
                       "a.csv"}),
             QByteArray());
    QCOMPARE(exported({"visibility", "--set", "mask=bidirectional", "--set", "q_length=4", "--set", "sliding_window=0",
                       "--out", "a.csv"}),
             QByteArray());
  }

  void valuesOfASession() {
    Session session = default_session();
    auto& page = *find_page(session, "buckets");
    set_value(page, "q_length", Index{2});
    set_value(page, "num_buckets", Index{4});
    QVERIFY(write_session(session, m_folder->filePath("s.vqscope").toStdString()));
    QCOMPARE(exported({"t5_bucket", "--session", "s.vqscope", "--set", "past_len=1", "--out", "a.csv"}), QByteArray());
    QCOMPARE(content("a.csv"), QByteArray("query\\key,0,1,2\n0,1,0,3\n1,1,1,0\n"));
  }

  /// Invalid values of a session's file are reported, and do not stop the export.
  void badSessionValuesAreReported() {
    Session session = default_session();
    auto& page = *find_page(session, "buckets");
    set_value(page, "q_length", Index{2});
    page.own.set("num_buckets", Index{-4});
    QVERIFY(write_session(session, m_folder->filePath("s.vqscope").toStdString()));
    const Outcome outcome = runProgram(*m_folder, {"export", "t5_bucket", "--session", "s.vqscope", "--out", "a.csv"});
    QCOMPARE(outcome.err, QByteArray("vqscope: s.vqscope: Buckets: num_buckets is -4 but must be an integer from 2 to "
                                     "4096; it is 32 now\n"));
    QCOMPARE(outcome.status, 0);
    QCOMPARE(content("a.csv").count('\n'), 3);
  }

  void refusals_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("message");
    const auto add = [](const char* name, const QStringList& arguments, const QByteArray& message) {
      QTest::newRow(name) << arguments << "vqscope: " + message + "\n";
    };
    const QStringList out{"--out", "a.csv"};
    const auto bucket = [&](const QStringList& options) { return QStringList{"t5_bucket"} + options + out; };
    add("no method", out, "export needs a METHOD (vqscope list shows all)");
    add("no output", {"t5_bucket"}, "export needs --out FILE");
    add("method", QStringList{"t5_buket"} + out,
        "unknown method t5_buket; did you mean t5_bucket? (vqscope list shows all" + test::left_out() + ")");
    const QStringList additive{"--additive", "float16"};
    add("additive", QStringList{"t5_bucket", "--out", "a.npy"} + additive,
        "--additive is for the mask of visibility, not for t5_bucket");
    add("additive text", QStringList{"visibility"} + additive + out, "--additive is for .npy, a.csv was given");
    add("two methods", QStringList{"t5_bucket", "t5_staircase"} + out,
        "export expects one METHOD, t5_bucket and t5_staircase were given");
    add("option", bucket({"--rwos", "1:2"}), "unknown option --rwos; did you mean --rows?");
    add("no value", {"t5_bucket", "--out"}, "--out needs a value");
    add("parameter", bucket({"--set", "q_lenght=4"}),
        "unknown parameter q_lenght of t5_bucket; did you mean q_length?");
    add("label", bucket({"--set", "T=4"}), "unknown parameter T of t5_bucket; did you mean q_length?");
    add("range", bucket({"--set", "q_length=0"}), "q_length is 0 but must be an integer from 1 to 2147483648");
    add("text", bucket({"--set", "q_length=four"}), "q_length is four but must be an integer from 1 to 2147483648");
    add("check", bucket({"--set", "num_buckets=5"}), "num_buckets is 5 but must be even when bidirectional");
    add("set", bucket({"--set", "q_length"}), "--set is q_length but must be name=value");
    add("array", bucket({"--array", "q_length=4"}), "q_length is not an array; use --set");
    add("rows", bucket({"--rows", "5"}), "--rows is 5 but must be a:b, for a to b - 1");
    add("rows beyond", bucket({"--rows", "0:513"}), "rows 0:513 reach beyond the matrix, which has rows 0 to 511");
    add("rows after the last", bucket({"--rows", "600:"}),
        "rows from 600 on are beyond the matrix, which has rows 0 to 511");
    add("cols after the last", bucket({"--cols", "512:513"}),
        "cols from 512 on are beyond the matrix, which has cols 0 to 511");
    add("rows below zero", bucket({"--rows", "-3:5"}), "--rows is -3:5 but must be a:b with a and b counted from 0");
    add("cols below zero", bucket({"--cols=:-1"}), "--cols is :-1 but must be a:b with a and b counted from 0");
    add("no value but an option", {"t5_bucket", "--rows", "--force"}, "--rows needs a value");
    add("no option at all", bucket({"--bogus"}), "unknown option --bogus");
    add("list item", {"visibility", "--set", "document_lengths=0,3", "--out", "a.csv"},
        "document_lengths has the item 0, each must be an integer from 1 to 4294967296");
    add("rows of curves", {"t5_staircase", "--rows", "0:1", "--out", "a.csv"},
        "--rows is for matrices, t5_staircase is a set of curves");
    add("unused", {"visibility", "--set", "mask=bidirectional", "--set", "sliding_window=5", "--out", "a.csv"},
        "sliding_window is not used while mask is bidirectional");
    add("unused list", {"visibility", "--set", "document_lengths=4,5", "--set", "mask=cross", "--out", "a.csv"},
        "document_lengths is not used while mask is cross");
    add("unused of the other side",
        {"rope_cos", "--set", "rope_type=linear", "--minus", "rope_type=default", "--minus", "factor=8", "--out",
         "a.csv"},
        "factor is not used while rope_type is default");
    add("aggregate of curves", {"rope_score", "--aggregate", "max", "--out", "a.png"},
        "--aggregate is for matrices, rope_score is a set of curves");
    add("colours of curves", {"rope_score", "--colour-map", "magma", "--out", "a.png"},
        "--colour-map is for matrices, rope_score is a set of curves");
    add("colours of a difference",
        {"rope_phase", "--minus", "rope_type=linear", "--colour-map", "magma", "--out", "a.png"},
        "--colour-map does not apply to a difference, whose colours show which side is larger");
    for (const char* side : {"84cm", "19mm", "5000px", "-3mm", "nan", "mm", "one"})
      add(side, bucket({QString("--width=") + side}),
          qPrintable(
              QString("--width is ") + side +
              " but must be a size such as 84mm, 600px, one-column or two-columns, from 76px (20.11mm) to 4096px "
              "(1084mm)"));
    add("font size", bucket({"--font-size", "3"}), "--font-size is 3 but must be a number of points from 4 to 72");
    add("theme", bucket({"--theme", "black"}), "--theme is black but must be light or dark");
    add("empty title", bucket({"--title="}), "--title is empty but must be a text");
    add("dpi", bucket({"--dpi", "0"}), "--dpi is 0 but must be an integer from 36 to 1200");
    add("colours", bucket({"--colour-map", "viridi"}),
        "--colour-map is viridi but must be one of viridis, cividis, magma, diverging, twilight; did you mean "
        "viridis?");
    add("aggregate", bucket({"--aggregate", "sum"}),
        "--aggregate is sum but must be one of automatic, mean, min, max, largest");
    add("suffix", {"t5_bucket", "--out", "a.xls"},
        "cannot tell a format from a.xls: it must end with .csv, .npy, .json, .png, .svg, .pdf");
    add("second suffix", {"t5_bucket", "--out", "a.csv", "b"},
        "cannot tell a format from b: it must end with .csv, .npy, .json, .png, .svg, .pdf");
    add("twice", {"t5_bucket", "--out", "a.csv", "./a.csv"}, "--out names ./a.csv twice");
    add("folder", {"t5_bucket", "--out", "a.csv", "/nowhere/b.csv"},
        "cannot write /nowhere/b.csv: there is no directory /nowhere");
    add("too large", bucket({"--set", "q_length=2097152"}),
        "a.csv would have about 12 TiB, more than the limit of 2 GiB; --force writes it anyway");
    add("session", bucket({"--session", "none.vqscope"}), "none.vqscope: No such file or directory");
    add("line break", bucket({"--set", "a\nb=1"}), "unknown parameter a b of t5_bucket");
  }

  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    QCOMPARE(exported(arguments, 2), message);
    QCOMPARE(namesIn(*m_folder), QStringList());
  }

  void fullDiskLeavesNoFile() {
    QVERIFY(QFile::link("/dev/full", m_folder->filePath("full.csv")));
    QCOMPARE(exported({"t5_bucket", "--out", "a.csv", "full.csv"}, 2),
             QByteArray("vqscope: cannot write full.csv: the disk is full\n"));
    QCOMPARE(namesIn(*m_folder), QStringList{"full.csv"});
  }

  /// The write that meets the limit is cut short, as on a disk that fills up in the middle.
  void partialWriteNamesTheReason() {
    const auto outcome = runProgram(*m_folder, {"export", "t5_bucket", "--out", "a.csv"}, [](QProcess& process) {
      process.setChildProcessModifier([] {
        const rlimit limit{100'000, 100'000};
        setrlimit(RLIMIT_FSIZE, &limit);
      });
    });
    QCOMPARE(outcome.err, QByteArray("vqscope: cannot write a.csv: File too large\n"));
    QCOMPARE(outcome.status, 2);
    QCOMPARE(namesIn(*m_folder), QStringList());
  }

  void aFailureKeepsTheOldFile() {
    QFile old(m_folder->filePath("a.csv"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    QCOMPARE(exported({"t5_bucket", "--out", "a.csv", "no/b.csv"}, 2).left(34),
             QByteArray("vqscope: cannot write no/b.csv: th"));
    QCOMPARE(content("a.csv"), QByteArray("old"));
  }

  void interruptLeavesNoFile() {
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(test::programPath(), {"export", "t5_bucket", "--set", "q_length=60000", "--force", "--out", "a.csv"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(bytesWrittenBy(process.processId()) > 1'000'000, 60000);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(withoutEstimates(process.readAllStandardError()), QByteArray("vqscope: cancelled\n"));
    QCOMPARE(namesIn(*m_folder), QStringList());
  }

  void programWithoutADisplayPrintsTheDefaultSession() {
    if (!makesFigures()) QSKIP("This program has no window");
    const auto outcome = runProgram(*m_folder, {});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("vqscope-default-session"));
    QVERIFY(content("vqscope-default-session/buckets.csv").startsWith("query\\key,0,1,"));
    QVERIFY(content("vqscope-default-session/buckets.png").startsWith("\x89PNG"));
  }

 private:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  /// Output of `export` on stderr, with the status if it is not the expected one.
  QByteArray exported(const QStringList& arguments, int expectedStatus = 0) {
    const auto outcome = runProgram(*m_folder, QStringList{"export"} + arguments);
    if (outcome.status == expectedStatus) return outcome.err;
    return "status " + QByteArray::number(outcome.status) + ": " + outcome.err;
  }

  QByteArray content(const QString& name) const { return contentOf(*m_folder, name); }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(ExportTest)
#include "export_test.moc"
