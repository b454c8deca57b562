import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import type { UserDirectory } from '../users/index.js';
import type { EntryRow } from './entry-row.js';

/**
 * Whether an entry may get this author. Made once a write, as `EntryMedia` is, so that a write that is decided on again asks for
 * nothing again.
 */
export class EntryAuthor {
  private known: string | undefined;

  constructor(
    private readonly ctx: Context,
    private readonly users: UserDirectory,
  ) {}

  /**
   * Nobody is asked for the author that the entry has: his account may be gone, and he stays what he is.
   * @throws QuireError VALIDATION_ERROR for one who is no user of the site, SERVICE_UNAVAILABLE when that cannot be asked.
   */
  async check(authorId: string | null, row: Pick<EntryRow, 'authorId'>): Promise<void> {
    if (authorId === null || authorId === row.authorId || authorId === this.known) return;
    const found = await this.users.byIds(this.ctx, [authorId]);
    if (found.length === 0) throw invalidInput([{ path: 'authorId', message: `'${authorId}' is no user` }]);
    this.known = authorId;
  }
}
