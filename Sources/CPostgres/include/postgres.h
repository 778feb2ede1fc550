// The functions of libpq, PostgreSQL's client library, that the server uses. The library is loaded when it is
// needed first, so a program that keeps no records in PostgreSQL runs on a machine without it. They need version
// 14, with which the pipeline came. Reference: https://www.postgresql.org/docs/current/libpq.html
#ifndef CLOUDLET_POSTGRES_H
#define CLOUDLET_POSTGRES_H

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;
typedef void (*PQnoticeProcessor)(void *context, const char *message);

// A message of NOTIFY.
typedef struct pgNotify {
    char *channel;
    int process;
    char *text;
    struct pgNotify *next;
} PGnotify;

// Loads the library from the first of these names that the system finds; the last name is NULL. Returns NULL,
// or the reason why none could be loaded, or which function is missing. Call it before anything else here.
const char *postgres_load(const char *const *names);

// function(result, name, parameters, arguments)
#define POSTGRES_FUNCTIONS(function) \
    function(PGconn *, PQconnectdb, (const char *settings), (settings)) \
    /* The value of a later name replaces that of an earlier one. The settings in the value of `dbname` */ \
    /* are read as if they were listed there. */ \
    function(PGconn *, PQconnectdbParams, \
        (const char *const *names, const char *const *values, int expandsDatabaseName), \
        (names, values, expandsDatabaseName)) \
    function(void, PQfinish, (PGconn *connection), (connection)) \
    /* 0: the connection works. */ \
    function(int, PQstatus, (const PGconn *connection), (connection)) \
    /* 0: no transaction. */ \
    function(int, PQtransactionStatus, (const PGconn *connection), (connection)) \
    function(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
    function(PQnoticeProcessor, PQsetNoticeProcessor, \
        (PGconn *connection, PQnoticeProcessor processor, void *context), (connection, processor, context)) \
    /* These send a request, and return 1 if it was sent. */ \
    function(int, PQsendQuery, (PGconn *connection, const char *sql), (connection, sql)) \
    function(int, PQsendPrepare, \
        (PGconn *connection, const char *name, const char *sql, int count, const unsigned int *types), \
        (connection, name, sql, count, types)) \
    function(int, PQsendQueryPrepared, \
        (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, \
            const int *formats, int resultFormat), \
        (connection, name, count, values, lengths, formats, resultFormat)) \
    function(int, PQsendQueryParams, \
        (PGconn *connection, const char *sql, int count, const unsigned int *types, \
            const char *const *values, const int *lengths, const int *formats, int resultFormat), \
        (connection, sql, count, types, values, lengths, formats, resultFormat)) \
    function(int, PQsocket, (const PGconn *connection), (connection)) \
    /* 0: the next result is complete. */ \
    function(int, PQisBusy, (PGconn *connection), (connection)) \
    /* Reads what the server has sent. */ \
    function(int, PQconsumeInput, (PGconn *connection), (connection)) \
    /* NULL after the last result of a request. */ \
    function(PGresult *, PQgetResult, (PGconn *connection), (connection)) \
    /* In pipeline mode requests are sent before the results of earlier ones are read. These return 1 */ \
    /* on success. Leaving the mode is possible only if all results have been read. The synchronization */ \
    /* sends all requests; its own result follows theirs, and after an error the server skips requests */ \
    /* up to it. */ \
    function(int, PQenterPipelineMode, (PGconn *connection), (connection)) \
    function(int, PQexitPipelineMode, (PGconn *connection), (connection)) \
    function(int, PQpipelineSync, (PGconn *connection), (connection)) \
    /* The next message that the server has sent; NULL: none. The caller frees it. */ \
    function(PGnotify *, PQnotifies, (PGconn *connection), (connection)) \
    function(void, PQfreemem, (void *memory), (memory)) \
    function(PGcancel *, PQgetCancel, (PGconn *connection), (connection)) \
    function(void, PQfreeCancel, (PGcancel *cancel), (cancel)) \
    function(int, PQcancel, (PGcancel *cancel, char *error, int size), (cancel, error, size)) \
    function(void, PQclear, (PGresult *result), (result)) \
    /* The bytes of memory that a result occupies. */ \
    function(unsigned long, PQresultMemorySize, (const PGresult *result), (result)) \
    /* 1: done without rows; 2: rows; 10: the result of PQpipelineSync; 11: skipped. */ \
    function(int, PQresultStatus, (const PGresult *result), (result)) \
    function(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
    function(int, PQntuples, (const PGresult *result), (result)) \
    function(int, PQnfields, (const PGresult *result), (result)) \
    function(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
    function(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
    function(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
    function(char *, PQcmdTuples, (PGresult *result), (result)) \
    /* The name of the command that was run, such as COMMIT. */ \
    function(char *, PQcmdStatus, (PGresult *result), (result))

// The addresses of the functions in the loaded library.
struct postgres_library {
#define POSTGRES_POINTER(result, name, parameters, arguments) result(*name) parameters;
    POSTGRES_FUNCTIONS(POSTGRES_POINTER)
#undef POSTGRES_POINTER
};
extern struct postgres_library postgres_library;

// The functions have the names of the library. They are static, so they cannot take the place of those that
// the library calls itself.
#define POSTGRES_CALL(result, name, parameters, arguments) \
    static inline result name parameters { return postgres_library.name arguments; }
POSTGRES_FUNCTIONS(POSTGRES_CALL)
#undef POSTGRES_CALL

// Connects as `PQconnectdb` does. Where the settings say nothing else, an engine that is gone without a word,
// because its machine or the network failed, is given up after some 20 seconds instead of hours: an attempt
// to connect, a request that nobody acknowledges, and a connection on which nothing comes.
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
