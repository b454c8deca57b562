import { createHmac } from 'node:crypto';
import type { Queryable } from '@quire/database';

/** HMAC-SHA-256 by the site's key. Who does not know the key cannot tell the outcome from chance, nor try texts. */
export type SiteMac = (text: string) => Buffer;

/** @param purpose keeps what is derived for one thing apart from what is derived for another */
export async function siteMac(sql: Queryable, purpose: string): Promise<SiteMac> {
  const [row] = await sql.query<{ key: Buffer }>('SELECT key FROM site_key');
  if (!row) throw new Error('site_key has no row');
  return (text) => createHmac('sha256', row.key).update(`${purpose}\0${text}`).digest();
}

/** An e-mail address in a form that can be compared and not be read. */
export async function addressHash(sql: Queryable, email: string): Promise<string> {
  const mac = await siteMac(sql, 'email');
  return mac(email).toString('hex');
}
