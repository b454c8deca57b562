import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';

/** The limit of the entries of a site: those outside the trash, in all collections and locales. */
export class EntryLimit {
  /** @param onRefused counts a creation that the limit refuses */
  constructor(private readonly onRefused: () => void = () => undefined) {}

  /** Whether the site of a context has a limit. */
  isSet({ principal }: Context): boolean {
    return principal.tenant.limits?.entries !== undefined;
  }

  /**
   * Checks that entries may be added in a transaction. Call it once in a transaction, before it locks entries: near the
   * limit, creations of the site wait for each other here until their transactions end. So the limit is never exceeded.
   * @param count entries that the transaction adds
   * @throws QuireError ENTRY_LIMIT_EXCEEDED with `limit` and `used`
   */
  async assertRoom(tx: Transaction, { principal }: Context, count: number): Promise<void> {
    const limit = principal.tenant.limits?.entries;
    if (limit === undefined || count === 0) return;
    const [row] = await tx.query<{ used: number | null }>('SELECT entries_over_limit($1, $2) AS used', [
      limit,
      count,
    ]);
    const used = row?.used ?? null;
    if (used === null) return;
    this.onRefused();
    throw new QuireError(
      'ENTRY_LIMIT_EXCEEDED',
      `The site may have at most ${limit} entries; it has ${used}`,
      {
        details: { limit, used },
      },
    );
  }
}
