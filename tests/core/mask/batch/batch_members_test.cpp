// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/batch_members.h"

#include "core/base/sentence.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class BatchMembersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void what_a_path_alone_means_data() {
    QTest::addColumn<QString>("names");
    QTest::addColumn<QString>("meaning");
    const auto add = [](const char* names, const char* meaning) { QTest::newRow(names) << names << meaning; };
    add("attention_mask,labels", "batch: attention_mask labels");
    add("attention_mask,mask", "batch: attention_mask mask");
    add("attn_mask,attention_mask,input_ids", "batch: mask attention_mask input_ids");
    add("attn_mask,mask,input_ids", "batch: mask input_ids");
    add("mask,attn_mask,input_ids", "batch: mask input_ids");
    add("train.labels,train.position_ids", "batch: labels position_ids");
    add("labels,logits", "batch: labels");
    add("mask,logits", ":mask");
    add("attn_mask,logits", ":attn_mask");
    add("attention_mask,logits", ":attention_mask");
    add("mask", "");
    add("scores", "");
    add("q,k,v", "");
    add("position_ids,w0,w1,w2,w3,w4,w5,w6,w7,w8", "");  // weights of a model
    add("a.mask,b.mask,labels", "");                     // two batches
  }

  void what_a_path_alone_means() {
    QFETCH(QString, names);
    QFETCH(QString, meaning);
    const std::string path = with_tensors(names);
    if (is_batch_file(path)) {
      const auto members = batch_members(path);
      QVERIFY(members);
      std::string known = "batch:";
      for (const BatchMember& member : members->known) known += " " + member.name;
      COMPARE_TEXT(known, meaning.toStdString());
      COMPARE_TEXT(mask_in_file(path).path, path);
    } else {
      COMPARE_TEXT(mask_in_file(path).path, path + meaning.toStdString());
    }
  }

  void a_mask_is_taken_under_its_own_name() {
    const std::string path = with_tensors("attn_mask,mask,input_ids");
    const auto members = batch_members(path);
    QVERIFY(members);
    COMPARE_TEXT(members->known[0].value, path + ":mask");
    QCOMPARE(members->others, std::vector<std::string>{"attn_mask"});
  }

 private:
  /// A file of tensors [1, 2] with these names.
  std::string with_tensors(const QString& names) {
    std::string header, data;
    for (const QString& name : names.split(',')) {
      header += fmt::format("{}\"{}\":{{\"dtype\":\"I64\",\"shape\":[1,2],\"data_offsets\":[{},{}]}}",
                            header.empty() ? "{" : ",", name.toStdString(), data.size(), data.size() + 16);
      data += std::string(16, '\0');
    }
    const QString path = m_folder.filePath("batch.safetensors");
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write(QByteArray::fromStdString(safetensors_file(header + "}", data)));
    return path.toStdString();
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(BatchMembersTest)
#include "batch_members_test.moc"
