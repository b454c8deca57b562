import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { AuthClient } from '../clients/index.js';
import { AuthorValidator } from './author-validator.js';
import { LookupRequired } from './entry-errors.js';

/** A validator with the given response of the auth service, and the number of requests to it. */
function openValidator(response: () => { id: string }[]) {
  let requestCount = 0;
  const byIds = () => {
    requestCount += 1;
    return new Promise((resolve) => resolve(response()));
  };
  const author = new AuthorValidator({} as Context, { byIds } as unknown as AuthClient);
  const check = (id: string | null, options?: { isLocked: boolean }) =>
    author.check(id, { authorId: 'old' }, options);
  return { check, requests: () => requestCount };
}
const unavailable = () => {
  throw new QuireError('SERVICE_UNAVAILABLE', 'The auth service is unavailable');
};

describe('AuthorValidator.check', () => {
  it('requests an author once for all attempts at a write', async () => {
    const { check, requests } = openValidator(() => [{ id: 'new' }]);
    await check('new');
    await check('new');
    expect(requests()).toBe(1);
  });

  it('rejects an author that is no user', async () => {
    const { check } = openValidator(() => []);
    await expect(check('unknown')).rejects.toThrow("authorId: 'unknown' is not a user");
  });

  it('rejects a new author while the auth service is unavailable, and accepts the present one or none', async () => {
    const { check } = openValidator(unavailable);
    await expect(check('new')).rejects.toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    await check('old');
    await check(null);
  });

  it('requests nothing while rows are locked', async () => {
    const { check, requests } = openValidator(() => [{ id: 'new' }]);
    const error = await check('new', { isLocked: true }).catch((thrown: unknown) => thrown);
    expect([error instanceof LookupRequired, requests()]).toEqual([true, 0]);
    await (error as LookupRequired).request();
    await check('new', { isLocked: true });
    expect(requests()).toBe(1);
  });
});
