import { isUnavailable } from '@quire/database';

/** Errors of ioredis without a reply of the server. */
const clientErrors = new Set(['MaxRetriesPerRequestError', 'AbortError', 'ClusterAllFailedError']);
/** First words of Redis errors about the state or the rights of the server's client, not about the command's values. */
const serverStates =
  /^(READONLY|OOM|LOADING|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|BUSY|NOAUTH|WRONGPASS|NOPERM|NOSCRIPT|UNBLOCKED)\b/;
/** Messages of client libraries whose errors have no code. */
const clientMessages = [
  'Command timed out',
  'Connection is closed',
  'None of startup nodes is available',
  'Query read timeout',
  'Stream isn',
  'Too many Cluster redirections',
];
/**
 * Classes of SQLSTATE about values: data exceptions, constraint violations and exceeded limits. All others are about
 * the state of the server, or the rights of the role.
 */
const valueSqlState = /^(22|23|54)[0-9A-Z]{3}$/;
const anySqlState = /^[0-9A-Z]{5}$/;

/** Whether a queue store failed by its own state, in contrast to values that it does not accept. */
export function isStoreFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (isUnavailable(error) || clientErrors.has(error.name) || serverStates.test(error.message)) return true;
  if (typeof code === 'string' && anySqlState.test(code)) return !valueSqlState.test(code);
  return clientMessages.some((text) => error.message.includes(text));
}
