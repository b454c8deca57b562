import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, itemOf, statusAndCode, useSite, type Client } from '@quire/testing';
import { createByline } from './support.js';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  await site.collection({ slug: 'pages' });
});

const create = (body?: object) => createByline(editor, body);
const remove = (id: string) => editor.delete(`/admin/bylines/${id}`);
const credit = (...ids: string[]) => ({ bylines: ids.map((bylineId) => ({ bylineId })) });
const creditsOf = (item: { bylines: { byline: { id: string } }[] }) =>
  item.bylines.map(({ byline }) => byline.id);

describe('DELETE /admin/bylines/{id}', () => {
  it('removes the credits of all collections; the next credit becomes the primary byline', async () => {
    const [deleted, next, last] = [await create(), await create(), await create()];
    const first = await createEntry(editor, 'posts', {}, credit(deleted.id, next.id, last.id));
    const middle = await createEntry(editor, 'pages', {}, credit(next.id, deleted.id, last.id));
    const alone = await createEntry(editor, 'pages', {}, credit(deleted.id));
    const response = await remove(deleted.id);
    expect([response.status, response.data]).toEqual([200, { deleted: true }]);
    expect(statusAndCode(await editor.get(`/admin/bylines/${deleted.id}`))).toEqual([404, 'NOT_FOUND']);
    const items = [first, middle, alone].map(async (entry) => itemOf(await editor.get(entry.path)));
    const [one, two, three] = await Promise.all(items);
    expect([one.primaryBylineId, one.byline.id]).toEqual([next.translationGroup, next.id]);
    expect([creditsOf(one), creditsOf(two)]).toEqual([
      [next.id, last.id],
      [next.id, last.id],
    ]);
    expect(two.primaryBylineId).toBe(next.translationGroup);
    expect([three.primaryBylineId, three.byline, three.bylines]).toEqual([null, null, []]);
  });
  it('does not change the _rev of credited entries', async () => {
    const deleted = await create();
    const entry = await createEntry(editor, 'posts', {}, credit(deleted.id));
    const { item, _rev } = await entry.get();
    await remove(deleted.id);
    const saved = await entry.put({ _rev, data: { title: 'Saved' } });
    expect([saved.status, itemOf(saved).primaryBylineId]).toEqual([200, null]);
    expect(item.primaryBylineId).toBe(deleted.translationGroup);
  });
  it('removes the credits of trashed entries', async () => {
    const deleted = await create();
    const entry = await createEntry(editor, 'posts', {}, credit(deleted.id));
    await entry.remove();
    await remove(deleted.id);
    const restored = itemOf(await entry.restore());
    expect([restored.primaryBylineId, restored.bylines]).toEqual([null, []]);
  });
  it('shows the byline in none of many entries, and those of their authors as inferred ones', async () => {
    const deleted = await create();
    const { path, id, item: created } = await createEntry(editor, 'posts', {}, credit(deleted.id));
    const own = await create({ userId: created.authorId });
    await site.sql(
      `INSERT INTO entry_bylines (entry_id, byline_group, collection, sort_order)
       SELECT '0' || n, $1, 'posts', 0 FROM generate_series(1, 2000) n`,
      [deleted.translationGroup],
    );
    expect((await remove(deleted.id)).status).toBe(200);
    const item = itemOf(await editor.get(path));
    expect([item.primaryBylineId, creditsOf(item)]).toEqual([null, [own.id]]);
    const listed = async (query: string) => {
      const { items } = (await editor.get(`/content/posts?${query}&includeInferredBylines=1`)).data;
      return items.some((entry: { id: string }) => entry.id === id);
    };
    expect([await listed(`bylines=${own.id}`), await listed('bylines=none')]).toEqual([true, false]);
    const copy = itemOf(await editor.post(`${path}/duplicate`));
    expect([copy.primaryBylineId, creditsOf(copy)]).toEqual([null, [own.id]]);
    await editor.delete(`/admin/bylines/${own.id}`);
  });
  it('of one locale retains the credits, which show the default locale', async () => {
    const english = await create();
    const german = (await editor.post(`/admin/bylines/${english.id}/translations`, { locale: 'de' })).data;
    const entry = await createEntry(editor, 'posts', {}, { locale: 'de', ...credit(german.id) });
    expect((await entry.get()).item.byline.id).toBe(german.id);
    await remove(german.id);
    const { item } = await entry.get();
    expect([item.byline.id, item.primaryBylineId]).toEqual([english.id, english.translationGroup]);
    await remove(english.id);
    expect((await entry.get()).item.primaryBylineId).toBeNull();
  });
  it('returns 200 once when 10 requests race, and leaves no rows', async () => {
    const { id } = await create();
    await createEntry(editor, 'posts', {}, credit(id));
    const responses = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'NOT_FOUND')).toHaveLength(9);
    expect(await site.sql('SELECT 1 FROM entry_bylines WHERE byline_group = $1', [id])).toEqual([]);
    expect(await site.sql('SELECT 1 FROM byline_groups WHERE id = $1', [id])).toEqual([]);
  });
  it('leaves every primary byline among the credits when it races with writes of credits', async () => {
    const [deleted, retained] = [await create(), await create()];
    const entries = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        createEntry(editor, 'posts', {}, index % 2 === 0 ? credit(deleted.id) : {}),
      ),
    );
    const writes = entries.map((entry, index) =>
      entry.put(index % 3 === 0 ? credit(retained.id, deleted.id) : credit(deleted.id, retained.id)),
    );
    const created = Array.from({ length: 4 }, () =>
      editor.post('/content/posts', { data: { title: 'New' }, ...credit(deleted.id) }),
    );
    const [removed, ...responses] = await Promise.all([remove(deleted.id), ...writes, ...created]);
    expect(removed.status).toBe(200);
    for (const response of responses)
      expect([
        [200, ''],
        [201, ''],
        [400, 'VALIDATION_ERROR'],
      ]).toContainEqual(statusAndCode(response));
    const inconsistent = await site.sql(
      `SELECT e.id FROM content_posts e WHERE e.primary_byline_id IS DISTINCT FROM
         (SELECT byline_group FROM entry_bylines c WHERE c.entry_id = e.id ORDER BY sort_order LIMIT 1)`,
    );
    expect(inconsistent).toEqual([]);
    expect(await site.sql('SELECT 1 FROM entry_bylines WHERE byline_group = $1', [deleted.id])).toEqual([]);
  });
});
