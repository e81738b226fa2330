#include "index/pg/libpq.h"

namespace akin::pg {

constinit LateFunction<decltype(::PQbackendPID)> PQbackendPID{"PQbackendPID"};
constinit LateFunction<decltype(::PQcancel)> PQcancel{"PQcancel"};
constinit LateFunction<decltype(::PQclear)> PQclear{"PQclear"};
constinit LateFunction<decltype(::PQcmdTuples)> PQcmdTuples{"PQcmdTuples"};
constinit LateFunction<decltype(::PQconnectdbParams)> PQconnectdbParams{"PQconnectdbParams"};
constinit LateFunction<decltype(::PQconninfoFree)> PQconninfoFree{"PQconninfoFree"};
constinit LateFunction<decltype(::PQconninfoParse)> PQconninfoParse{"PQconninfoParse"};
constinit LateFunction<decltype(::PQconsumeInput)> PQconsumeInput{"PQconsumeInput"};
constinit LateFunction<decltype(::PQenterPipelineMode)> PQenterPipelineMode{"PQenterPipelineMode"};
constinit LateFunction<decltype(::PQerrorMessage)> PQerrorMessage{"PQerrorMessage"};
constinit LateFunction<decltype(::PQexec)> PQexec{"PQexec"};
constinit LateFunction<decltype(::PQexecParams)> PQexecParams{"PQexecParams"};
constinit LateFunction<decltype(::PQexecPrepared)> PQexecPrepared{"PQexecPrepared"};
constinit LateFunction<decltype(::PQexitPipelineMode)> PQexitPipelineMode{"PQexitPipelineMode"};
constinit LateFunction<decltype(::PQfinish)> PQfinish{"PQfinish"};
constinit LateFunction<decltype(::PQfreeCancel)> PQfreeCancel{"PQfreeCancel"};
constinit LateFunction<decltype(::PQfreemem)> PQfreemem{"PQfreemem"};
constinit LateFunction<decltype(::PQgetCancel)> PQgetCancel{"PQgetCancel"};
constinit LateFunction<decltype(::PQgetResult)> PQgetResult{"PQgetResult"};
constinit LateFunction<decltype(::PQgetisnull)> PQgetisnull{"PQgetisnull"};
constinit LateFunction<decltype(::PQgetlength)> PQgetlength{"PQgetlength"};
constinit LateFunction<decltype(::PQgetvalue)> PQgetvalue{"PQgetvalue"};
constinit LateFunction<decltype(::PQisBusy)> PQisBusy{"PQisBusy"};
constinit LateFunction<decltype(::PQntuples)> PQntuples{"PQntuples"};
constinit LateFunction<decltype(::PQparameterStatus)> PQparameterStatus{"PQparameterStatus"};
constinit LateFunction<decltype(::PQpipelineSync)> PQpipelineSync{"PQpipelineSync"};
constinit LateFunction<decltype(::PQprepare)> PQprepare{"PQprepare"};
constinit LateFunction<decltype(::PQputCopyData)> PQputCopyData{"PQputCopyData"};
constinit LateFunction<decltype(::PQputCopyEnd)> PQputCopyEnd{"PQputCopyEnd"};
constinit LateFunction<decltype(::PQresultErrorField)> PQresultErrorField{"PQresultErrorField"};
constinit LateFunction<decltype(::PQresultStatus)> PQresultStatus{"PQresultStatus"};
constinit LateFunction<decltype(::PQsendFlushRequest)> PQsendFlushRequest{"PQsendFlushRequest"};
constinit LateFunction<decltype(::PQsendQueryParams)> PQsendQueryParams{"PQsendQueryParams"};
constinit LateFunction<decltype(::PQsendQueryPrepared)> PQsendQueryPrepared{"PQsendQueryPrepared"};
constinit LateFunction<decltype(::PQsetNoticeProcessor)> PQsetNoticeProcessor{"PQsetNoticeProcessor"};
constinit LateFunction<decltype(::PQsetSingleRowMode)> PQsetSingleRowMode{"PQsetSingleRowMode"};
constinit LateFunction<decltype(::PQsocket)> PQsocket{"PQsocket"};
constinit LateFunction<decltype(::PQstatus)> PQstatus{"PQstatus"};
constinit LateFunction<decltype(::PQtransactionStatus)> PQtransactionStatus{"PQtransactionStatus"};

const Result<void>& load_libpq() {
  static const Result<void> loaded = load_library(AKIN_LIBPQ, "install it: apt install libpq5",
                                                  {&PQbackendPID,
                                                   &PQcancel,
                                                   &PQclear,
                                                   &PQcmdTuples,
                                                   &PQconnectdbParams,
                                                   &PQconninfoFree,
                                                   &PQconninfoParse,
                                                   &PQconsumeInput,
                                                   &PQenterPipelineMode,
                                                   &PQerrorMessage,
                                                   &PQexec,
                                                   &PQexecParams,
                                                   &PQexecPrepared,
                                                   &PQexitPipelineMode,
                                                   &PQfinish,
                                                   &PQfreeCancel,
                                                   &PQfreemem,
                                                   &PQgetCancel,
                                                   &PQgetResult,
                                                   &PQgetisnull,
                                                   &PQgetlength,
                                                   &PQgetvalue,
                                                   &PQisBusy,
                                                   &PQntuples,
                                                   &PQparameterStatus,
                                                   &PQpipelineSync,
                                                   &PQprepare,
                                                   &PQputCopyData,
                                                   &PQputCopyEnd,
                                                   &PQresultErrorField,
                                                   &PQresultStatus,
                                                   &PQsendFlushRequest,
                                                   &PQsendQueryParams,
                                                   &PQsendQueryPrepared,
                                                   &PQsetNoticeProcessor,
                                                   &PQsetSingleRowMode,
                                                   &PQsocket,
                                                   &PQstatus,
                                                   &PQtransactionStatus});
  return loaded;
}

}  // namespace akin::pg
