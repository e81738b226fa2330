// libpq, loaded by the first connection string that is parsed or used: a program whose collections are files
// starts in half of the time without it and what it needs. In this namespace its functions have their own
// names and are called as usual; calling one requires that load_libpq has succeeded.
#pragma once

#include <libpq-fe.h>

#include "base/error.h"
#include "base/late_library.h"

namespace akin::pg {

/// Any thread may call it at any time. Error: unsupported.
[[nodiscard]] const Result<void>& load_libpq();

extern LateFunction<decltype(::PQbackendPID)> PQbackendPID;
extern LateFunction<decltype(::PQcancel)> PQcancel;
extern LateFunction<decltype(::PQclear)> PQclear;
extern LateFunction<decltype(::PQcmdTuples)> PQcmdTuples;
extern LateFunction<decltype(::PQconnectdbParams)> PQconnectdbParams;
extern LateFunction<decltype(::PQconninfoFree)> PQconninfoFree;
extern LateFunction<decltype(::PQconninfoParse)> PQconninfoParse;
extern LateFunction<decltype(::PQconsumeInput)> PQconsumeInput;
extern LateFunction<decltype(::PQenterPipelineMode)> PQenterPipelineMode;
extern LateFunction<decltype(::PQerrorMessage)> PQerrorMessage;
extern LateFunction<decltype(::PQexec)> PQexec;
extern LateFunction<decltype(::PQexecParams)> PQexecParams;
extern LateFunction<decltype(::PQexecPrepared)> PQexecPrepared;
extern LateFunction<decltype(::PQexitPipelineMode)> PQexitPipelineMode;
extern LateFunction<decltype(::PQfinish)> PQfinish;
extern LateFunction<decltype(::PQfreeCancel)> PQfreeCancel;
extern LateFunction<decltype(::PQfreemem)> PQfreemem;
extern LateFunction<decltype(::PQgetCancel)> PQgetCancel;
extern LateFunction<decltype(::PQgetResult)> PQgetResult;
extern LateFunction<decltype(::PQgetisnull)> PQgetisnull;
extern LateFunction<decltype(::PQgetlength)> PQgetlength;
extern LateFunction<decltype(::PQgetvalue)> PQgetvalue;
extern LateFunction<decltype(::PQisBusy)> PQisBusy;
extern LateFunction<decltype(::PQntuples)> PQntuples;
extern LateFunction<decltype(::PQparameterStatus)> PQparameterStatus;
extern LateFunction<decltype(::PQpipelineSync)> PQpipelineSync;
extern LateFunction<decltype(::PQprepare)> PQprepare;
extern LateFunction<decltype(::PQputCopyData)> PQputCopyData;
extern LateFunction<decltype(::PQputCopyEnd)> PQputCopyEnd;
extern LateFunction<decltype(::PQresultErrorField)> PQresultErrorField;
extern LateFunction<decltype(::PQresultStatus)> PQresultStatus;
extern LateFunction<decltype(::PQsendFlushRequest)> PQsendFlushRequest;
extern LateFunction<decltype(::PQsendQueryParams)> PQsendQueryParams;
extern LateFunction<decltype(::PQsendQueryPrepared)> PQsendQueryPrepared;
extern LateFunction<decltype(::PQsetNoticeProcessor)> PQsetNoticeProcessor;
extern LateFunction<decltype(::PQsetSingleRowMode)> PQsetSingleRowMode;
extern LateFunction<decltype(::PQsocket)> PQsocket;
extern LateFunction<decltype(::PQstatus)> PQstatus;
extern LateFunction<decltype(::PQtransactionStatus)> PQtransactionStatus;

}  // namespace akin::pg
