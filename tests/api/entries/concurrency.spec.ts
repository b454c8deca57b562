import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  statusAndCode,
  useRowLock,
  useSite,
  waitUntilBlocked,
  type ApiResponse,
  type Client,
  type TestEntry,
} from '@quire/testing';

const site = useSite();
const rowLock = useRowLock(site);
let admin: Client;
let annId: string;
let benId: string;

beforeAll(async () => {
  admin = await site.as('admin');
  const idOf = async (client: Client) => (await client.get('/auth/me')).data.id as string;
  annId = await idOf(await site.another('editor', 'ann'));
  benId = await idOf(await site.another('editor', 'ben'));
  await site.collection();
});

const setAuthor = (entry: TestEntry, authorId: string) =>
  rowLock.acquire('UPDATE content_posts SET author_id = $2, version = version + 1 WHERE id = $1', [
    entry.id,
    authorId,
  ]);

/** Sends an update that names the entry's author, while another transaction is changing the author to Ben. */
async function updateDuringChange(entry: TestEntry, authorId: string): Promise<ApiResponse> {
  await setAuthor(entry, benId);
  const response = admin.put(entry.path, { authorId });
  await waitUntilBlocked(site, ['content_posts'], 1);
  await rowLock.release();
  return response;
}

describe('PUT /content/{collection}/{id} racing with a change of the author', () => {
  it('returns 200 for the former author, who exists', async () => {
    const entry = await createEntry(admin);
    await setAuthor(entry, annId);
    await rowLock.release();
    const { status, data } = await updateDuringChange(entry, annId);
    expect([status, data.item.authorId]).toEqual([200, annId]);
  });

  it('returns 400 for the former author, who does not exist', async () => {
    const entry = await createEntry(admin);
    await setAuthor(entry, 'deleted-user');
    await rowLock.release();
    expect((await admin.put(entry.path, { authorId: 'deleted-user' })).status).toBe(200);
    const response = await updateDuringChange(entry, 'deleted-user');
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect((await entry.get()).item.authorId).toBe(benId);
  });
});
