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

Answer failed(int status, const std::string& type, const std::string& reason = "[n2] it is closing") {
  Answer answer;
  answer.status = status;
  answer.body["error"] = {{"type", type}, {"reason", reason}};
  return answer;
}

TEST(ErrorsOfACluster, APassingFailureIsRepeatedAndThenUnavailableWhateverItsStatus) {
  for (const char* const type : {"already_closed_exception",
                                 "circuit_breaking_exception",
                                 "cluster_manager_not_discovered_exception",
                                 "connect_transport_exception",
                                 "failed_to_commit_cluster_state_exception",
                                 "illegal_index_shard_state_exception",
                                 "index_shard_closed_exception",
                                 "index_shard_not_started_exception",
                                 "index_shard_recovering_exception",
                                 "index_shard_relocated_exception",
                                 "master_not_discovered_exception",
                                 "no_shard_available_action_exception",
                                 "node_closed_exception",
                                 "node_disconnected_exception",
                                 "node_not_connected_exception",
                                 "not_cluster_manager_exception",
                                 "not_master_exception",
                                 "primary_missing_action_exception",
                                 "primary_shard_closed_exception",
                                 "process_cluster_event_timeout_exception",
                                 "receive_timeout_transport_exception",
                                 "refresh_failed_engine_exception",
                                 "rejected_execution_exception",
                                 "shard_not_found_exception",
                                 "shard_not_in_primary_mode_exception",
                                 "timeout_exception",
                                 "unavailable_shards_exception"}) {
    for (const int status : {404, 429, 500, 503}) {
      EXPECT_TRUE(is_passing(failed(status, type))) << type << status;
      EXPECT_EQ(error_of(failed(status, type)).code, Errc::unavailable) << type << status;
    }
  }
}

TEST(ErrorsOfACluster, TheCauseOfAFailureDecides) {
  Answer answer = failed(500, "remote_failure");
  answer.body["error"]["root_cause"] = {{{"type", "already_closed_exception"}, {"reason", "closed"}}};
  EXPECT_TRUE(is_passing(answer));
  EXPECT_EQ(error_of(answer).code, Errc::unavailable);
}

TEST(ErrorsOfACluster, ABlockForNowIsRepeatedAndOneThatIsSetIsNot) {
  const char* const type = "cluster_block_exception";
  EXPECT_TRUE(is_passing(failed(503, type, "blocked by: [SERVICE_UNAVAILABLE/2/no cluster manager];")));
  EXPECT_FALSE(is_passing(failed(403, type, "index [a] blocked by: [FORBIDDEN/5/index read-only (api)];")));
  const Answer flood = failed(429, type, "[TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark]");
  EXPECT_FALSE(is_passing(flood));
  EXPECT_EQ(error_of(flood).code, Errc::disk_full);
}

TEST(ErrorsOfACluster, OtherFailuresAreNotRepeated) {
  EXPECT_FALSE(is_passing(failed(500, "null_pointer_exception")));
  EXPECT_EQ(error_of(failed(500, "null_pointer_exception")).code, Errc::internal);
  EXPECT_FALSE(is_passing(failed(404, "index_not_found_exception")));
  EXPECT_EQ(error_of(failed(404, "index_not_found_exception")).code, Errc::not_found);
  EXPECT_FALSE(is_passing(failed(400, "mapper_parsing_exception")));
}

TEST(ErrorsOfACluster, AnAnswerIsNoFailure) {
  Answer answer;
  answer.status = 200;
  EXPECT_FALSE(is_passing(answer));
}

}  // namespace
}  // namespace akin::opensearch
