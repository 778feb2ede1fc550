// The functions of libpq, PostgreSQL's client library, that the store uses. They are declared here, so that a
// program which does not use PostgreSQL builds on a machine without libpq; only linking needs it. Their
// signatures have not changed since PostgreSQL 8.0.
#ifndef RECORD_STORE_POSTGRES_H
#define RECORD_STORE_POSTGRES_H

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

PGconn *PQconnectdb(const char *settings);
void PQfinish(PGconn *connection);
// 0: the connection works.
int PQstatus(const PGconn *connection);
// 0: no transaction.
int PQtransactionStatus(const PGconn *connection);
char *PQerrorMessage(const PGconn *connection);
void (*PQsetNoticeProcessor(
    PGconn *connection, void (*processor)(void *context, const char *message), void *context
))(void *, const char *);

PGresult *PQexec(PGconn *connection, const char *sql);
PGresult *PQprepare(
    PGconn *connection, const char *name, const char *sql, int count, const unsigned int *types);
PGresult *PQexecPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int resultFormat);
PGresult *PQexecParams(
    PGconn *connection, const char *sql, int count, const unsigned int *types, const char *const *values,
    const int *lengths, const int *formats, int resultFormat);

void PQclear(PGresult *result);
// 1: done without rows; 2: rows.
int PQresultStatus(const PGresult *result);
char *PQresultErrorField(const PGresult *result, int field);
int PQntuples(const PGresult *result);
int PQgetisnull(const PGresult *result, int row, int column);
int PQgetlength(const PGresult *result, int row, int column);
char *PQgetvalue(const PGresult *result, int row, int column);
char *PQcmdTuples(PGresult *result);

// Drops the notices of the server, which libpq would print.
static inline void postgres_drop_notice(void *context, const char *message) {
    (void)context;
    (void)message;
}

static inline void postgres_be_quiet(PGconn *connection) {
    PQsetNoticeProcessor(connection, postgres_drop_notice, 0);
}

#endif
