import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { SignInMode } from '../../authentication/sign-in-mode.js';
import { tokenHash } from '../../authentication/api-tokens/index.js';
import type { SetupProgress } from './setup.repository.js';

/** What a browser brings that opened the setup link. */
export type SetupLink = string | undefined;

const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
const ownAddress = /^(?:127(?:\.\d{1,3}){3}|::1)$/;

/** Who may set up a site without users: whoever has its setup link, or works at the machine itself (decision 59). */
export class SetupAccess {
  /** @param isOpen whether the operator leaves it to anybody (CMS_SETUP) */
  constructor(
    private readonly mode: SignInMode,
    private readonly isOpen: boolean,
  ) {}

  /** Whether a caller has to open the setup link first. */
  needsLink(ctx: Context, { linkHash }: Pick<SetupProgress, 'linkHash'>, link: SetupLink): boolean {
    // Where a proxy signs people in, it makes the first user, who sets the site up.
    if (this.isOpen || this.mode.isExternal || isAtThisMachine(ctx)) return false;
    return link === undefined || tokenHash(link) !== linkHash;
  }

  /** @throws QuireError FORBIDDEN for who has to open the setup link first. */
  assertAllowed(...call: Parameters<SetupAccess['needsLink']>): void {
    if (this.needsLink(...call)) throw new QuireError('FORBIDDEN', 'Open the setup link of this site first');
  }
}

/** The host alone says nothing: anybody can send any. */
function isAtThisMachine({ origin, clientAddress }: Context): boolean {
  if (origin === null || clientAddress === null || !URL.canParse(origin)) return false;
  return ownHost.test(new URL(origin).hostname) && ownAddress.test(clientAddress);
}
