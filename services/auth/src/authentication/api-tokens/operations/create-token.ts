import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { isScope } from '@quire/permissions';
import { ulid } from 'ulid';
import { ApiToken } from '../api-token.entity.js';
import { generateApiToken } from '../api-token-generator.js';

export interface NewToken {
  userId: string;
  name: string;
  scopes: readonly string[];
  expiresAt?: Date | undefined;
}

/**
 * Makes a personal access token. A scope above the user's role is taken as asked: every use is limited by the role
 * (decision 32).
 * @returns the token's text, which is never shown again, and its stored record.
 * @throws QuireError VALIDATION_ERROR for an unknown scope or an expiry that has passed.
 */
export async function createToken(
  tx: Transaction,
  input: NewToken,
): Promise<{ text: string; token: ApiToken }> {
  const unknown = input.scopes.filter((scope) => !isScope(scope));
  if (unknown.length > 0) throw new QuireError('VALIDATION_ERROR', `scopes: unknown ${unknown.join(', ')}`);
  if (input.expiresAt && input.expiresAt.getTime() <= Date.now()) {
    throw new QuireError('VALIDATION_ERROR', 'expiresAt: must be in the future');
  }
  const { text, prefix, hash } = generateApiToken();
  const id = ulid();
  const tokens = tx.repository(ApiToken);
  await tokens.insert({
    id,
    userId: input.userId,
    name: input.name,
    prefix,
    tokenHash: hash,
    scopes: [...input.scopes],
    expiresAt: input.expiresAt ?? null,
  });
  return { text, token: await tokens.findOneByOrFail({ id }) };
}
