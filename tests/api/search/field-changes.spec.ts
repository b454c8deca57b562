import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openSearchableSite, type SearchableSite } from './searchable-site.js';

let on: SearchableSite;
let count = 0;
/** A word that one entry has in a field that is not searchable. */
let word: string;
let title: string;
beforeAll(async () => {
  on = await openSearchableSite();
});
afterAll(() => on.site.close());
beforeEach(() => {
  count += 1;
  word = `hominy${count}`;
  title = `Grits ${count}`;
});

const change = async (searchable: boolean) => {
  const { status } = await on.admin.put('/schema/collections/posts/fields/secret', { searchable });
  expect(status).toBe(200);
};
const waitUntilHidden = () => on.waitUntilFound(word, []);

/**
 * Changes the field while the search is told nothing of it: as when the message comes after that of the next
 * change.
 */
async function changeUntold(searchable: boolean): Promise<void> {
  const [row] = await on.site.sql<{ collection_id: string }>(
    `DELETE FROM change_subscriptions WHERE subscriber = 'search' RETURNING collection_id`,
  );
  await change(searchable);
  await on.site.sql(`INSERT INTO change_subscriptions (subscriber, collection_id) VALUES ('search', $1)`, [
    row?.collection_id,
  ]);
}

/** Has the entry indexed anew. */
const touch = () => on.site.sql(`UPDATE content_posts SET body = 'touched' WHERE secret = $1`, [word]);

describe('PUT /schema/collections/{slug}/fields/{field} with searchable', () => {
  it('hides the text again when an entry was indexed between two changes', async () => {
    await on.publish({ title, secret: word });
    await change(true);
    await on.waitUntilFound(word, [title]);
    await change(false);
    await waitUntilHidden();
  });

  it('hides the text again when the first change is told of late', async () => {
    await on.publish({ title, secret: word });
    await on.waitUntilFound(`"${title}"`, [title]);
    await changeUntold(true);
    await touch();
    await on.waitUntilFound(word, [title]);
    await change(false);
    await waitUntilHidden();
  });

  it('shows the text again when the first change is told of late', async () => {
    await on.publish({ title, secret: word });
    await change(true);
    await on.waitUntilFound(word, [title]);
    await changeUntold(false);
    await touch();
    await waitUntilHidden();
    await change(true);
    await on.waitUntilFound(word, [title]);
    await change(false);
    await waitUntilHidden();
  });
});

describe('POST /search/enable with another tokenizer', () => {
  it('is kept when it comes while the index is being built for a changed field', async () => {
    await on.publish({ title, body: 'overlapping' });
    await on.waitUntilFound('overlapping', [title]);
    const tokenizers = ['trigram', 'unicode61', 'trigram'];
    for (const tokenize of tokenizers)
      await Promise.all([change(tokenize === 'trigram'), on.enable('posts', { tokenize })]);
    await on.waitUntilFound('verlappin', [title]);
    await change(false);
    await on.waitUntilFound('verlappin', [title]);
  });
});
