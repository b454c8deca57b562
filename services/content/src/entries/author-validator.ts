import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import type { AuthClient } from '../clients/index.js';
import type { EntryRow } from './entry-row.js';

/**
 * Whether an entry may get this author. Made once a write, as `MediaResolver` is, so that a write that is planned again
 * asks for nothing again.
 */
export class AuthorValidator {
  private known: string | undefined;

  constructor(
    private readonly ctx: Context,
    private readonly users: AuthClient,
  ) {}

  /**
   * Nobody is asked for the author that the entry has: their account may be gone, and they stay what they are.
   * @throws QuireError VALIDATION_ERROR for one who is no user of the site, SERVICE_UNAVAILABLE when that cannot be
   *   asked.
   */
  async check(authorId: string | null, row: Pick<EntryRow, 'authorId'>): Promise<void> {
    if (authorId === null || authorId === row.authorId || authorId === this.known) return;
    const found = await this.users.byIds(this.ctx, [authorId]);
    if (found.length === 0)
      throw invalidInput([{ path: 'authorId', message: `'${authorId}' is not a user` }]);
    this.known = authorId;
  }
}
