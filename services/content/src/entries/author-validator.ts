import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import type { AuthClient } from '../clients/index.js';
import { LookupRequired } from './entry-errors.js';
import type { EntryRow } from './entry-row.js';

/** Validates a new author of an entry. One instance serves all attempts at a write: an author is requested once. */
export class AuthorValidator {
  private validId: string | undefined;

  constructor(
    private readonly ctx: Context,
    private readonly users: AuthClient,
  ) {}

  /**
   * The present author is not requested: the entry keeps the author of a deleted account.
   * @param options.isLocked whether rows are locked
   * @throws QuireError VALIDATION_ERROR for an author that is not a user of the site, SERVICE_UNAVAILABLE.
   *   LookupRequired when the author must be requested while rows are locked.
   */
  async check(
    authorId: string | null,
    row: Pick<EntryRow, 'authorId'>,
    { isLocked = false }: { isLocked?: boolean } = {},
  ): Promise<void> {
    if (authorId === null || authorId === row.authorId || authorId === this.validId) return;
    if (isLocked) throw new LookupRequired(() => this.request(authorId));
    await this.request(authorId);
  }

  private async request(authorId: string): Promise<void> {
    const users = await this.users.byIds(this.ctx, [authorId]);
    if (users.length === 0)
      throw invalidInput([{ path: 'authorId', message: `'${authorId}' is not a user` }]);
    this.validId = authorId;
  }
}
