import type { OutboxDispatcher } from '@quire/jobs';
import type { RateLimiter } from '@quire/rate-limit';
import type { AuthClient } from '../clients/index.js';
import type { Captcha } from './captcha.js';
import type { CommenterCookie } from './commenter-cookie.js';

/** The dependencies of the operations on comments. */
export class CommentDeps {
  constructor(
    readonly limiter: RateLimiter,
    readonly users: AuthClient,
    readonly captcha: Captcha,
    readonly commenters: CommenterCookie,
    readonly dispatcher: Pick<OutboxDispatcher, 'wake'>,
  ) {}
}
