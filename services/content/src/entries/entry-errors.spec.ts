import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { CollectionDefinition } from '../schema/index.js';
import type { InternalApiClient } from '@quire/service-client';
import { AuthClient } from '../clients/index.js';
import { StaleEntryError, toStaleEntryError } from './entry-errors.js';

const updatedAt = '2025-01-01T00:00:00.000Z';
const editedAt = '2025-01-24T12:00:00.000Z';

async function conflictOf(rows: object[], usersByIds: () => Promise<object[]>): Promise<QuireError> {
  const ctx = { db: { query: () => Promise.resolve(rows) } } as unknown as Context;
  const call = async () => ({ items: await usersByIds() });
  const users = new AuthClient({ call } as unknown as InternalApiClient);
  const definition = { table: 'content_posts' } as CollectionDefinition;
  return toStaleEntryError(ctx, users, { definition, stale: new StaleEntryError({ id: 'E', updatedAt }) });
}

describe('toStaleEntryError', () => {
  it('has user and time of the last change', async () => {
    const users = [{ id: 'U', name: 'Ann', email: 'ann@example.org' }];
    const { code, status, details } = await conflictOf([{ userId: 'U', editedAt }], () =>
      Promise.resolve(users),
    );
    expect([code, status, details]).toEqual([
      'CONFLICT',
      409,
      { editedBy: { id: 'U', name: 'Ann' }, editedAt },
    ]);
  });

  it('has no name while the auth service is unavailable, or if the user is deleted', async () => {
    const unavailable = () => Promise.reject(new QuireError('SERVICE_UNAVAILABLE', 'unavailable'));
    for (const users of [unavailable, () => Promise.resolve([])]) {
      const { code, details } = await conflictOf([{ userId: 'U', editedAt }], users);
      expect([code, details]).toEqual(['CONFLICT', { editedBy: { id: 'U', name: null }, editedAt }]);
    }
  });

  it('has no user for work of the system, and requests no name', async () => {
    const unexpected = () => Promise.reject(new Error('unexpected request'));
    expect((await conflictOf([{ userId: null, editedAt }], unexpected)).details).toEqual({
      editedBy: null,
      editedAt,
    });
    expect((await conflictOf([], unexpected)).details).toEqual({ editedBy: null, editedAt: updatedAt });
  });
});
