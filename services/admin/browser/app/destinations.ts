import { can, type Permission } from '@quire/permissions';
import type { MessageKey } from '../locales/messages.js';

/** Path of the panel, as the index page names it. */
export const basePath = document.body.dataset['base'] ?? '/';

const pagesPath = basePath.slice(0, basePath.lastIndexOf('/'));

/** Paths outside the panel, and the panel's own for links that load it. */
export const links = {
  panel: basePath,
  account: pagesPath,
  login: `${pagesPath}/login`,
  transfer: `${pagesPath}/settings/transfer`,
  device: `${pagesPath}/device`,
  signInAgain: `${pagesPath}/login?again=1&redirect=${encodeURIComponent(`${basePath}/signed-in`)}`,
} as const;

/** Where a destination leads: a screen of the panel, a collection's list, or a page of the server. */
export type Target = { screen: '/' | '/preferences' } | { collection: string } | { page: string };

/** Where a user can go. */
export interface Destination {
  label: MessageKey;
  hint: MessageKey;
  to: Exclude<Target, { collection: string }>;
  /** Permission that the destination requires; none for all users of the panel. */
  permission?: Permission;
}

const all: readonly Destination[] = [
  { label: 'nav.home', hint: 'nav.home.hint', to: { screen: '/' } },
  { label: 'nav.preferences', hint: 'nav.preferences.hint', to: { screen: '/preferences' } },
  { label: 'nav.account', hint: 'nav.account.hint', to: { page: links.account } },
  { label: 'nav.device', hint: 'nav.device.hint', to: { page: links.device } },
  {
    label: 'nav.transfer',
    hint: 'nav.transfer.hint',
    to: { page: links.transfer },
    permission: 'transfer:export',
  },
];

/**
 * The destinations of a role; what it may never open is left out.
 * @param options.signsInHere false behind an edge access proxy, which has no devices
 */
export function destinationsOf(
  user: { id: string; role: number },
  { signsInHere }: { signsInHere: boolean },
): readonly Destination[] {
  const caller = { userId: user.id, role: user.role };
  return all.filter(
    ({ permission, label }) =>
      (permission === undefined || can(caller, permission)) && (signsInHere || label !== 'nav.device'),
  );
}
