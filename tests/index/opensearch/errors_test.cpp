#include <gtest/gtest.h>

#include <string>

#include "index/opensearch/client/client.h"

namespace akin::opensearch {
namespace {

Answer rejected(const std::string& wanted, const std::string& most) {
  Json cause;
  cause["type"] = "rejected_execution_exception";
  cause["reason"] =
      "rejected execution of coordinating operation [coordinating_and_primary_bytes=0, replica_bytes=0, "
      "all_bytes=0, "
      "coordinating_operation_bytes=" +
      wanted + ", max_coordinating_and_primary_bytes=" + most + "]";
  Answer answer;
  answer.status = 429;
  answer.body["error"]["root_cause"] = Json::array({cause});
  return answer;
}

TEST(ErrorsOfACluster, AWriteThatIsLongerThanANodeTakesIsNotRepeated) {
  const Answer answer = rejected("37778287", "32440320");
  EXPECT_FALSE(is_passing(answer));
  EXPECT_EQ(error_of(answer).code, Errc::too_large);
  EXPECT_NE(error_of(answer).remedy.find("heap"), std::string::npos);
}

TEST(ErrorsOfACluster, AWriteThatWaitsForOthersIsRepeated) {
  const Answer answer = rejected("7778287", "32440320");
  EXPECT_TRUE(is_passing(answer));
  EXPECT_EQ(error_of(answer).code, Errc::unavailable);
}

TEST(ErrorsOfACluster, AViewOfANodeThatIsGoneIsUnavailable) {
  Answer answer;
  answer.status = 500;
  answer.body["error"] = {{"type", "illegal_state_exception"},
                          {"reason", "no node found for id: JlN0H7PySAiO"}};
  EXPECT_EQ(error_of(answer).code, Errc::unavailable);
}

TEST(ErrorsOfACluster, ALostConnectionBetweenNodesIsUnavailable) {
  for (const char* const type :
       {"node_not_connected_exception", "node_disconnected_exception", "node_closed_exception",
        "connect_transport_exception", "receive_timeout_transport_exception"}) {
    Answer answer;
    answer.status = 500;
    answer.body["error"] = {{"type", type}, {"reason", "[n2][127.0.0.1:9300] Node not connected"}};
    EXPECT_EQ(error_of(answer).code, Errc::unavailable) << type;
  }
}

}  // namespace
}  // namespace akin::opensearch
