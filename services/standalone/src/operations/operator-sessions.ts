import { createHmac, hkdfSync } from 'node:crypto';
import { isMacOfAny, type Secrets } from '@quire/context';
import type { Operator } from '@quire/tenancy';

/** Lifetime of a session of a browser; it ends earlier with its token. */
export const sessionSeconds = 8 * 3600;

const keyBytes = 32;

/**
 * Signed sessions of browsers: the id of a token, an end, and a code over both and the stored hash of the token. A
 * session needs no table, does not contain the token, and is invalid without the token's row.
 */
export class OperatorSessions {
  /** @param secrets of the installation: a session is valid in all its processes, and after a restart */
  constructor(
    private readonly secrets: Secrets,
    private readonly now: () => number = Date.now,
  ) {}

  /** The text of a new session. */
  create(operator: Operator): string {
    const end = Math.floor(this.now() / 1000) + sessionSeconds;
    return `${operator.id}.${end}.${codeOf(this.secrets[0], operator, end).toString('base64url')}`;
  }

  /** The id of the token of a session that has not ended; the session is not verified yet. */
  tokenIdOf(text: string): string | undefined {
    const { id, end } = partsOf(text);
    return end * 1000 > this.now() ? id : undefined;
  }

  /** Whether a session is one of this operator. */
  isValid(text: string, operator: Operator): boolean {
    const { id, end, code } = partsOf(text);
    return id === operator.id && isMacOfAny(this.secrets, code, (secret) => codeOf(secret, operator, end));
  }
}

function codeOf(secret: string, { id, hash }: Operator, end: number): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'quire operator session', keyBytes));
  return createHmac('sha256', key).update(`${id}.${end}.${hash}`).digest();
}

function partsOf(text: string): { id: string; end: number; code: Buffer } {
  const [id = '', end = '', code = ''] = text.split('.');
  return { id, end: Number(end), code: Buffer.from(code, 'base64url') };
}
