// The functions of libpq, PostgreSQL's client library, that the store uses. They are declared here, so that a
// program which does not use PostgreSQL builds on a machine without libpq; only linking needs it. Their
// signatures have not changed since PostgreSQL 8.0; the pipeline came with 14.
#ifndef RECORD_STORE_POSTGRES_H
#define RECORD_STORE_POSTGRES_H

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

PGconn *PQconnectdb(const char *settings);
// The value of a later name replaces that of an earlier one. The settings in the value of `dbname` are read as
// if they were listed there.
PGconn *PQconnectdbParams(const char *const *names, const char *const *values, int expandsDatabaseName);
void PQfinish(PGconn *connection);
// 0: the connection works.
int PQstatus(const PGconn *connection);
// 0: no transaction.
int PQtransactionStatus(const PGconn *connection);
char *PQerrorMessage(const PGconn *connection);
void (*PQsetNoticeProcessor(
    PGconn *connection, void (*processor)(void *context, const char *message), void *context
))(void *, const char *);

// These send a request, and return 1 if it was sent.
int PQsendQuery(PGconn *connection, const char *sql);
int PQsendPrepare(
    PGconn *connection, const char *name, const char *sql, int count, const unsigned int *types);
int PQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int resultFormat);
int PQsendQueryParams(
    PGconn *connection, const char *sql, int count, const unsigned int *types, const char *const *values,
    const int *lengths, const int *formats, int resultFormat);
int PQsocket(const PGconn *connection);
// 0: the next result is complete.
int PQisBusy(PGconn *connection);
// Reads what the server has sent.
int PQconsumeInput(PGconn *connection);
// NULL after the last result of a request.
PGresult *PQgetResult(PGconn *connection);

// In pipeline mode requests are sent before the results of earlier ones are read. These return 1 on success.
int PQenterPipelineMode(PGconn *connection);
// Possible only if all results have been read.
int PQexitPipelineMode(PGconn *connection);
// Sends all requests. Its own result follows theirs; after an error the server skips requests up to it.
int PQpipelineSync(PGconn *connection);

// A message of NOTIFY.
typedef struct pgNotify {
    char *channel;
    int process;
    char *text;
    struct pgNotify *next;
} PGnotify;
// The next message that the server has sent; NULL: none. The caller frees it.
PGnotify *PQnotifies(PGconn *connection);
void PQfreemem(void *memory);

typedef struct pg_cancel PGcancel;
PGcancel *PQgetCancel(PGconn *connection);
void PQfreeCancel(PGcancel *cancel);
int PQcancel(PGcancel *cancel, char *error, int size);

void PQclear(PGresult *result);
// The bytes of memory that a result occupies.
unsigned long PQresultMemorySize(const PGresult *result);
// 1: done without rows; 2: rows; 10: the result of PQpipelineSync; 11: skipped.
int PQresultStatus(const PGresult *result);
char *PQresultErrorField(const PGresult *result, int field);
int PQntuples(const PGresult *result);
int PQnfields(const PGresult *result);
int PQgetisnull(const PGresult *result, int row, int column);
int PQgetlength(const PGresult *result, int row, int column);
char *PQgetvalue(const PGresult *result, int row, int column);
char *PQcmdTuples(PGresult *result);
// The name of the command that was run, such as COMMIT.
char *PQcmdStatus(PGresult *result);

// Connects as `PQconnectdb` does. Where the settings say nothing else, an engine that is gone without a word,
// because its machine or the network failed, is given up after some 20 seconds instead of hours: an attempt to
// connect, a request that nobody acknowledges, and a connection on which nothing comes.
static inline PGconn *postgres_connect(const char *settings) {
    const char *const names[] = {
        "connect_timeout", "tcp_user_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count",
        "dbname", 0};
    const char *const values[] = {"10", "20000", "10", "5", "2", settings, 0};
    return PQconnectdbParams(names, values, 1);
}

// Drops the notices of the server, which libpq would print.
static inline void postgres_drop_notice(void *context, const char *message) {
    (void)context;
    (void)message;
}

static inline void postgres_be_quiet(PGconn *connection) {
    PQsetNoticeProcessor(connection, postgres_drop_notice, 0);
}

// Asks the server to cancel the statement of a connection.
static inline void postgres_cancel(PGconn *connection) {
    char error[256];
    PGcancel *cancel = PQgetCancel(connection);
    if (cancel == 0) return;
    PQcancel(cancel, error, sizeof error);
    PQfreeCancel(cancel);
}

#endif
