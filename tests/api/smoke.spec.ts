import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, type Site } from '@quire/testing';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('the door', () => {
  it('answers 401 NOT_AUTHENTICATED without a credential', async () => {
    const answer = await site.anonymous().get('/content/posts');
    expect([answer.status, answer.error.code]).toEqual([401, 'NOT_AUTHENTICATED']);
  });
  it('answers 404 COLLECTION_NOT_FOUND for an unknown collection', async () => {
    const admin = await site.as('admin');
    const answer = await admin.get('/content/posts');
    expect([answer.status, answer.error.code]).toEqual([404, 'COLLECTION_NOT_FOUND']);
  });
});
