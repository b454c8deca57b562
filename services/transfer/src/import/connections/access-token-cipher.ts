import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const salt = 'quire import connections';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** The owner of an access token. A sealed token is not valid for another one. */
export interface TokenOwner {
  userId: string;
  siteId: string;
}

/**
 * Encrypts the access tokens of one site of this installation at rest, so that a copy of the database does not give
 * access to the connected sites. The key derives from the client secret, which only the operator and the provider that
 * issued the tokens know; a new client secret makes the stored tokens unreadable.
 */
export class AccessTokenCipher {
  private readonly key: Buffer;

  constructor(clientSecret: string, tenantId: string) {
    this.key = Buffer.from(hkdfSync('sha256', clientSecret, salt, tenantId, keyBytes));
  }

  /** @returns nonce, tag and encrypted token as base64url */
  seal(accessToken: string, owner: TokenOwner): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.key, iv, { authTagLength: tagBytes }).setAAD(dataOf(owner));
    const encrypted = Buffer.concat([cipher.update(accessToken, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
  }

  /** @returns undefined when the token was sealed with another key or for another owner, or is damaged */
  open(sealed: string, owner: TokenOwner): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    const tag = bytes.subarray(ivBytes, ivBytes + tagBytes);
    if (tag.length < tagBytes) return undefined;
    const decipher = createDecipheriv(algorithm, this.key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(dataOf(owner)).setAuthTag(tag);
    const start = decipher.update(bytes.subarray(ivBytes + tagBytes));
    try {
      return Buffer.concat([start, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}

const dataOf = ({ userId, siteId }: TokenOwner) => Buffer.from(`${userId}\0${siteId}`);
