import { errorAnswer, type QuireError } from '@quire/errors';
import type { Refusal } from '@quire/operation';

/** A link's token that is unknown is a thing that is not there: 404, where a bad credential is 401 (contract 3). */
export function linkRefusal(error: QuireError): Refusal | undefined {
  return error.code === 'INVALID_TOKEN' ? { status: 404, body: errorAnswer(error).body } : undefined;
}
