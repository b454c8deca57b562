import type { Client } from './clients.schemas.js';

/** Whether an administrator created or approved the client; the metadata of others is unverified. */
export function isTrustedClient({
  registeredItself,
  approvedAt,
}: Pick<Client, 'registeredItself' | 'approvedAt'>): boolean {
  return !registeredItself || approvedAt !== null;
}
