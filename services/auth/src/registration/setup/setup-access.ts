import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { SignInMode } from '../../authentication/sign-in-mode.js';
import { tokenHash } from '../../authentication/api-tokens/index.js';
import type { SetupProgress } from './setup.repository.js';

/** Secret of the setup link, from the cookie of a browser that opened it. */
export type SetupLink = string | undefined;

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
const loopbackAddress = /^(?:127(?:\.\d{1,3}){3}|::1)$/;

/** Allows the setup of a site to holders of its setup link and to clients on this machine (decision 59). */
export class SetupAccess {
  /** @param isOpen whether any client may set the site up (CMS_SETUP) */
  constructor(
    private readonly mode: SignInMode,
    private readonly isOpen: boolean,
  ) {}

  /** Whether a caller has to open the setup link first. */
  needsLink(ctx: Context, { linkHash }: Pick<SetupProgress, 'linkHash'>, link: SetupLink): boolean {
    // Behind an edge access proxy the first request creates the first user, who then sets the site up.
    if (this.isOpen || this.mode.isExternal || isAtThisMachine(ctx)) return false;
    return link === undefined || tokenHash(link) !== linkHash;
  }

  /** @throws QuireError FORBIDDEN when the caller has to open the setup link first. */
  assertAllowed(...call: Parameters<SetupAccess['needsLink']>): void {
    if (this.needsLink(...call)) throw new QuireError('FORBIDDEN', 'Open the setup link of this site first');
  }
}

/** Checks the client address too: a client can send any host. */
function isAtThisMachine({ origin, clientAddress }: Context): boolean {
  if (origin === null || clientAddress === null || !URL.canParse(origin)) return false;
  return loopbackHost.test(new URL(origin).hostname) && loopbackAddress.test(clientAddress);
}
