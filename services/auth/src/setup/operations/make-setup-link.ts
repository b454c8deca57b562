import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { newLinkToken } from '../../links/index.js';
import { holdSetup, setupProgress, storeLinkHash } from '../setup.repository.js';

/**
 * Makes the link with which the first user of a site sets it up; an older one counts no longer. It is good until there is
 * a user.
 * @throws QuireError SETUP_COMPLETE when there is one.
 */
export async function makeSetupLink(tx: Transaction, origin: string): Promise<string> {
  await holdSetup(tx);
  const { hasUsers } = await setupProgress(tx);
  if (hasUsers) throw new QuireError('SETUP_COMPLETE', 'This site has users already: it needs no setup link');
  const { text, hash } = newLinkToken();
  await storeLinkHash(tx, hash);
  return `${origin}/_cms/admin/setup?token=${text}`;
}
