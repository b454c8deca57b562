import { beforeEach, describe, expect, it } from '@jest/globals';
import { useSearchableSite } from './support.js';

const searchSite = useSearchableSite();
let count = 0;
/** A word that one entry has in a field that is not searchable. */
let word: string;
let title: string;
beforeEach(() => {
  count += 1;
  word = `hominy${count}`;
  title = `Grits ${count}`;
});

const change = async (searchable: boolean) => {
  const { status } = await searchSite.admin.put('/schema/collections/posts/fields/secret', { searchable });
  expect(status).toBe(200);
};
const waitUntilHidden = () => searchSite.waitUntilFound(word, []);

/** Changes the field without a message to the search, as when its message arrives after that of the next change. */
async function changeUnannounced(searchable: boolean): Promise<void> {
  const [row] = await searchSite.site.sql<{ collection_id: string }>(
    `DELETE FROM change_subscriptions WHERE subscriber = 'search' RETURNING collection_id`,
  );
  await change(searchable);
  await searchSite.site.sql(
    `INSERT INTO change_subscriptions (subscriber, collection_id) VALUES ('search', $1)`,
    [row?.collection_id],
  );
}

/** Triggers indexing of the entry. */
const touch = () =>
  searchSite.site.sql(`UPDATE content_posts SET body = 'touched' WHERE secret = $1`, [word]);

describe('PUT /schema/collections/{slug}/fields/{field} with searchable', () => {
  it('hides the text again when an entry was indexed between two changes', async () => {
    await searchSite.publish({ title, secret: word });
    await change(true);
    await searchSite.waitUntilFound(word, [title]);
    await change(false);
    await waitUntilHidden();
  });

  it('hides the text again when the first change is announced late', async () => {
    await searchSite.publish({ title, secret: word });
    await searchSite.waitUntilFound(`"${title}"`, [title]);
    await changeUnannounced(true);
    await touch();
    await searchSite.waitUntilFound(word, [title]);
    await change(false);
    await waitUntilHidden();
  });

  it('shows the text again when the first change is announced late', async () => {
    await searchSite.publish({ title, secret: word });
    await change(true);
    await searchSite.waitUntilFound(word, [title]);
    await changeUnannounced(false);
    await touch();
    await waitUntilHidden();
    await change(true);
    await searchSite.waitUntilFound(word, [title]);
    await change(false);
    await waitUntilHidden();
  });
});

describe('POST /search/enable with another tokenizer', () => {
  it('keeps the tokenizer while the index is rebuilt for a changed field', async () => {
    await searchSite.publish({ title, body: 'overlapping' });
    await searchSite.waitUntilFound('overlapping', [title]);
    const tokenizers = ['trigram', 'unicode61', 'trigram'];
    for (const tokenize of tokenizers)
      await Promise.all([change(tokenize === 'trigram'), searchSite.enable('posts', { tokenize })]);
    await searchSite.waitUntilFound('verlappin', [title]);
    await change(false);
    await searchSite.waitUntilFound('verlappin', [title]);
  });
});
