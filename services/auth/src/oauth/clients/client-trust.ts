import type { Client } from './clients.schemas.js';

/** Whether an administrator made a client or approved it; of others nobody has checked what they say of themselves. */
export function isVouchedFor({
  registeredItself,
  approvedAt,
}: Pick<Client, 'registeredItself' | 'approvedAt'>): boolean {
  return !registeredItself || approvedAt !== null;
}
