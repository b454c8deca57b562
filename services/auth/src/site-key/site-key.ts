import { createHmac } from 'node:crypto';
import type { Queryable } from '@quire/database';
import { selectSiteKey } from './site-key.repository.js';

/** HMAC-SHA-256 with the site's key. Without the key its values cannot be predicted or tested against texts. */
export type SiteMac = (text: string) => Buffer;

/** @returns the site's MAC. @param purpose separates the values of different uses */
export async function siteMac(sql: Queryable, purpose: string): Promise<SiteMac> {
  const key = await selectSiteKey(sql);
  return (text) => createHmac('sha256', key).update(`${purpose}\0${text}`).digest();
}

/** @returns a keyed hash of an e-mail address, which can be compared but not read. */
export async function addressHash(sql: Queryable, email: string): Promise<string> {
  const mac = await siteMac(sql, 'email');
  return mac(email).toString('hex');
}
