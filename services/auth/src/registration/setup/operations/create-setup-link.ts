import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { pagePaths } from '@quire/ui';
import { generateLinkToken } from '../../../mail/links/index.js';
import { lockSetup, selectSetupProgress, updateLinkHash } from '../setup.repository.js';

/**
 * Makes the link with which the first user of a site sets it up; an older one counts no longer. It is good until there
 * is a user.
 * @throws QuireError SETUP_COMPLETE when there is one.
 */
export async function createSetupLink(tx: Transaction, origin: string): Promise<string> {
  await lockSetup(tx);
  const { hasUsers } = await selectSetupProgress(tx);
  if (hasUsers) throw new QuireError('SETUP_COMPLETE', 'This site already has users and needs no setup link');
  const { text, hash } = generateLinkToken();
  await updateLinkHash(tx, hash);
  return `${origin}${pagePaths.setup}?token=${text}`;
}
