import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, itemOf, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  await site.collection({ slug: 'pages' });
});

let count = 0;
const create = async (body: object = {}) => {
  count += 1;
  const sent = { slug: `person-${count}`, displayName: `Person ${count}`, ...body };
  return (await editor.post('/admin/bylines', sent)).data;
};
const remove = (id: string) => editor.delete(`/admin/bylines/${id}`);
const credit = (...ids: string[]) => ({ bylines: ids.map((bylineId) => ({ bylineId })) });
const creditsOf = (item: { bylines: { byline: { id: string } }[] }) =>
  item.bylines.map(({ byline }) => byline.id);

describe('deleteByline', () => {
  it('removes it from the entries of every collection, and the next credit becomes the primary one', async () => {
    const [gone, next, last] = [await create(), await create(), await create()];
    const first = await createEntry(editor, 'posts', {}, credit(gone.id, next.id, last.id));
    const middle = await createEntry(editor, 'pages', {}, credit(next.id, gone.id, last.id));
    const alone = await createEntry(editor, 'pages', {}, credit(gone.id));
    const response = await remove(gone.id);
    expect([response.status, response.data]).toEqual([200, { deleted: true }]);
    expect(statusAndCode(await editor.get(`/admin/bylines/${gone.id}`))).toEqual([404, 'NOT_FOUND']);
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
  it('lets what others are about to save of the entries stand', async () => {
    const gone = await create();
    const entry = await createEntry(editor, 'posts', {}, credit(gone.id));
    const { item, _rev } = await entry.get();
    await remove(gone.id);
    const saved = await entry.put({ _rev, data: { title: 'Saved' } });
    expect([saved.status, itemOf(saved).primaryBylineId]).toEqual([200, null]);
    expect(item.primaryBylineId).toBe(gone.translationGroup);
  });
  it('reaches entries in the trash', async () => {
    const gone = await create();
    const entry = await createEntry(editor, 'posts', {}, credit(gone.id));
    await entry.remove();
    await remove(gone.id);
    const restored = itemOf(await entry.restore());
    expect([restored.primaryBylineId, restored.bylines]).toEqual([null, []]);
  });
  it('in one locale of several leaves the credits, shown in the default locale from then on', async () => {
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
  it('is done by one of ten that try at once, and leaves nothing of it', async () => {
    const { id } = await create();
    await createEntry(editor, 'posts', {}, credit(id));
    const responses = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'NOT_FOUND')).toHaveLength(9);
    expect(await site.sql('SELECT 1 FROM entry_bylines WHERE byline_group = $1', [id])).toEqual([]);
    expect(await site.sql('SELECT 1 FROM byline_groups WHERE id = $1', [id])).toEqual([]);
  });
  it('while entries are being credited with it leaves no entry with a primary byline that it does not credit', async () => {
    const [gone, kept] = [await create(), await create()];
    const entries = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        createEntry(editor, 'posts', {}, index % 2 === 0 ? credit(gone.id) : {}),
      ),
    );
    const writes = entries.map((entry, index) =>
      entry.put(index % 3 === 0 ? credit(kept.id, gone.id) : credit(gone.id, kept.id)),
    );
    const created = Array.from({ length: 4 }, () =>
      editor.post('/content/posts', { data: { title: 'New' }, ...credit(gone.id) }),
    );
    const [removed, ...responses] = await Promise.all([remove(gone.id), ...writes, ...created]);
    expect(removed.status).toBe(200);
    for (const response of responses)
      expect([
        [200, ''],
        [201, ''],
        [400, 'VALIDATION_ERROR'],
      ]).toContainEqual(statusAndCode(response));
    const stray = await site.sql(
      `SELECT e.id FROM content_posts e WHERE e.primary_byline_id IS DISTINCT FROM
         (SELECT byline_group FROM entry_bylines c WHERE c.entry_id = e.id ORDER BY sort_order LIMIT 1)`,
    );
    expect(stray).toEqual([]);
    expect(await site.sql('SELECT 1 FROM entry_bylines WHERE byline_group = $1', [gone.id])).toEqual([]);
  });
});
