import { randomBytes } from 'node:crypto';
import { QuireError, toErrorResponse } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';
import { z } from 'zod';
import { tokenHash } from '../../authentication/api-tokens/index.js';

const randomByteCount = 32;

/** The secret of a link, in a request. */
export const linkToken = z.string().max(200);

/** Creates the secret of a link. @returns its text, which only the link contains, and the hash to store. */
export function generateLinkToken(): { text: string; hash: string } {
  const text = randomBytes(randomByteCount).toString('base64url');
  return { text, hash: tokenHash(text) };
}

/** The error for a request without the token of its link. */
export function missingToken(): QuireError {
  return new QuireError('MISSING_PARAM', 'token: is missing');
}

/** Maps the error for an unknown link token to 404; invalid credentials have 401 (contract 3). */
export function mapLinkError(error: QuireError): MappedErrorResponse | undefined {
  return error.code === 'INVALID_TOKEN' ? { status: 404, body: toErrorResponse(error).body } : undefined;
}
