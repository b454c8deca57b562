import { toErrorResponse, type QuireError } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';

/** An unknown link token is reported as 404, while an invalid credential is 401 (contract 3). */
export function mapLinkError(error: QuireError): MappedErrorResponse | undefined {
  return error.code === 'INVALID_TOKEN' ? { status: 404, body: toErrorResponse(error).body } : undefined;
}
