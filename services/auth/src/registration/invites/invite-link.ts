import { pagePaths } from '@quire/ui';
/** How long an invitation lasts (spec document 1, Limits). */
export const inviteDays = 7;

/** The link of an invitation: a page of the admin. */
export function inviteUrl(origin: string, token: string): string {
  return `${origin}${pagePaths.invite}?token=${token}`;
}
