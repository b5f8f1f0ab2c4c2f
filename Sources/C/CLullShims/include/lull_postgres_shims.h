/* Connections to PostgreSQL through libpq, which is loaded where a fleet asks for it. */
#ifndef LULL_POSTGRES_SHIMS_H
#define LULL_POSTGRES_SHIMS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lull_pq_link lull_pq_link;
typedef struct lull_pq_result lull_pq_result;

/* Whether libpq is there. Loads it the first time; callable from any thread. Nothing else here may be called before. */
bool lull_pq_load(void);

/* The names end with a null. If a name is given twice, the later value counts; `dbname` may be a whole connection string.
   Null: there is no memory. Looks names up, so it may take long. */
lull_pq_link *_Nullable lull_pq_start(
    const char *_Nullable const *_Nonnull names, const char *_Nullable const *_Nonnull values);
/* 0: connected; 1: call it again once it is readable; 2: once it is writable; -1: it has failed. */
int lull_pq_go_on(lull_pq_link *_Nonnull link);
bool lull_pq_is_broken(const lull_pq_link *_Nonnull link);
int lull_pq_socket(const lull_pq_link *_Nonnull link);
const char *_Nonnull lull_pq_words(const lull_pq_link *_Nonnull link);
/* The value of an option of the connection, wherever it was set; for the caller to free. Null: none. */
char *_Nullable lull_pq_option(lull_pq_link *_Nonnull link, const char *_Nonnull name);
void lull_pq_never_wait(lull_pq_link *_Nonnull link);
void lull_pq_finish(lull_pq_link *_Nonnull link);

/* One statement with one parameter, whose result is text. */
bool lull_pq_send(lull_pq_link *_Nonnull link, const char *_Nonnull statement, const char *_Nonnull parameter);
/* 0: all is sent; 1: go on once it is writable; -1: it is broken. */
int lull_pq_flush(lull_pq_link *_Nonnull link);
bool lull_pq_take_in(lull_pq_link *_Nonnull link);
bool lull_pq_is_busy(lull_pq_link *_Nonnull link);
/* Null: the statement is over. */
lull_pq_result *_Nullable lull_pq_next(lull_pq_link *_Nonnull link);
/* Several statements; waits. Null: there is no memory. */
lull_pq_result *_Nullable lull_pq_run(lull_pq_link *_Nonnull link, const char *_Nonnull statements);

/* The first value of the first row; null: it is an error, or there is none. Lives as long as the result. */
const char *_Nullable lull_pq_value(const lull_pq_result *_Nonnull result);
/* A field of an error: 'C': its code of five letters, 'M': its message, 'D': its details. Null: there is none. */
const char *_Nullable lull_pq_fault(const lull_pq_result *_Nonnull result, int field);
bool lull_pq_is_fault(const lull_pq_result *_Nonnull result);
void lull_pq_clear(lull_pq_result *_Nonnull result);

#endif
