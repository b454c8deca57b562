import { literal } from '../statements/identifiers.js';
import type { Parameters } from '../statements/parameters.js';

/**
 * The setting of a transaction with the trace of its request, which triggers and defaults of columns read: a row that a
 * trigger writes has no parameter for it.
 */
export const traceSetting = 'quire.trace';

/** The statements that begin a transaction, in one message. */
export function beginText(trace: string | undefined): string {
  return trace === undefined ? 'BEGIN' : `BEGIN; SET LOCAL ${traceSetting} = ${literal(trace)}`;
}

/** SQL condition that is always true: it gives a single statement the setting of a transaction. */
export function setsTrace(trace: string | undefined, parameters: Parameters): string {
  return `set_config('${traceSetting}', ${parameters.add(trace ?? '', 'text')}, true) IS NOT NULL`;
}

/** SQL expression: the trace of the transaction; NULL for work without a request. */
export const currentTrace = `nullif(current_setting('${traceSetting}', true), '')`;
