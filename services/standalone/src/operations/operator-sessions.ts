import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Operator } from '@quire/tenancy';

/** Lifetime of a session of a browser; it ends earlier with its token. */
export const sessionSeconds = 8 * 3600;

const keyBytes = 32;

/**
 * Signed sessions of browsers: the id of a token, an end, and a code over both and the stored hash of the token. A
 * session needs no table, does not contain the token, and is invalid without the token's row.
 */
export class OperatorSessions {
  private readonly key: Buffer;

  /** @param secret the secret of the installation: a session is valid in all its processes, and after a restart */
  constructor(
    secret: string,
    private readonly now: () => number = Date.now,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'quire operator session', keyBytes));
  }

  /** The text of a new session. */
  create(operator: Operator): string {
    const end = Math.floor(this.now() / 1000) + sessionSeconds;
    return `${operator.id}.${end}.${this.codeOf(operator, end).toString('base64url')}`;
  }

  /** The id of the token of a session that has not ended; the session is not verified yet. */
  tokenIdOf(text: string): string | undefined {
    const { id, end } = partsOf(text);
    return end * 1000 > this.now() ? id : undefined;
  }

  /** Whether a session is one of this operator. */
  isValid(text: string, operator: Operator): boolean {
    const { id, end, code } = partsOf(text);
    const expected = this.codeOf(operator, end);
    return id === operator.id && code.length === expected.length && timingSafeEqual(code, expected);
  }

  private codeOf({ id, hash }: Operator, end: number): Buffer {
    return createHmac('sha256', this.key).update(`${id}.${end}.${hash}`).digest();
  }
}

function partsOf(text: string): { id: string; end: number; code: Buffer } {
  const [id = '', end = '', code = ''] = text.split('.');
  return { id, end: Number(end), code: Buffer.from(code, 'base64url') };
}
