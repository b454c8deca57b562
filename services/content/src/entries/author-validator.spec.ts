import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { AuthClient } from '../clients/index.js';
import { AuthorValidator } from './author-validator.js';
import { LookupRequired } from './entry-errors.js';

/** The check of a new author, with what the auth service answers and how often it was asked. */
function checking(answer: () => { id: string }[]) {
  let asked = 0;
  const byIds = () => {
    asked += 1;
    return new Promise((resolve) => resolve(answer()));
  };
  const author = new AuthorValidator({} as Context, { byIds } as unknown as AuthClient);
  const check = (id: string | null, options?: { isLocked: boolean }) =>
    author.check(id, { authorId: 'old' }, options);
  return { check, asked: () => asked };
}
const away = () => {
  throw new QuireError('SERVICE_UNAVAILABLE', 'The auth service is unavailable');
};

describe('the author that an entry is to have', () => {
  it('is asked for once, however often the write is decided', async () => {
    const { check, asked } = checking(() => [{ id: 'new' }]);
    await check('new');
    await check('new');
    expect(asked()).toBe(1);
  });

  it('must be a user', async () => {
    const { check } = checking(() => []);
    await expect(check('nobody')).rejects.toThrow("authorId: 'nobody' is not a user");
  });

  it('is not taken unseen while auth is away, but may stay who they are, or be none', async () => {
    const { check } = checking(away);
    await expect(check('new')).rejects.toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    await check('old');
    await check(null);
  });

  it('is not requested while rows are locked', async () => {
    const { check, asked } = checking(() => [{ id: 'new' }]);
    const error = await check('new', { isLocked: true }).catch((thrown: unknown) => thrown);
    expect([error instanceof LookupRequired, asked()]).toEqual([true, 0]);
    await (error as LookupRequired).request();
    await check('new', { isLocked: true });
    expect(asked()).toBe(1);
  });
});
