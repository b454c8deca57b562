import type { RateLimiter } from '@quire/rate-limit';
import type { UserDirectory } from '../users/index.js';

/** What submitting a comment works with, beside its context. */
export class CommentServices {
  constructor(
    readonly limiter: RateLimiter,
    readonly users: UserDirectory,
  ) {}
}
