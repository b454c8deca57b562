import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, createImage, statusAndCode, uploadFile, type Client, type Site } from '@quire/testing';
import {
  closeEnvironments,
  TestEnvironment,
  until,
  type RunningProcess,
} from './support/test-environment.js';

let testEnvironment: TestEnvironment;
let site: Site;
let admin: Client;
let media: RunningProcess;
let picture: { id: string; url: string };
let other: { id: string };
let entry: string;
/** States of the entry: with the address of its image, and without. */
let whole: string;
let lacking: string;

const upload = async () => {
  const bytes = await createImage({ width: 12, height: 9 });
  return (await uploadFile(admin, { bytes, type: 'image/png' })).data.item;
};
async function kill({ pid: killed }: RunningProcess): Promise<void> {
  process.kill(killed, 'SIGKILL');
  await until('the process is gone', async () => {
    const { processes } = await testEnvironment.installation();
    return processes.every(({ pid }) => pid !== killed);
  });
}
const start = ({ targets, port }: RunningProcess) =>
  testEnvironment.control('/targets/start', { targets, port });
const settings = async () => (await admin.get('/settings')).data;
const section = async () => (await admin.get('/sections/shown')).data;
const hero = async () => (await admin.get(entry)).data.item.data.hero;
/** The present state of the entry, as a client names it when it polls. */
const state = async () => String((await admin.get(entry)).headers.get('etag'));
const poll = async (etag: string) => (await admin.get(entry, { headers: { 'if-none-match': etag } })).status;
const away = [503, 'SERVICE_UNAVAILABLE'];

beforeAll(async () => {
  testEnvironment = await TestEnvironment.open({ arrangement: 'media-separate' });
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  [picture, other] = [await upload(), await upload()];
  await admin.put('/settings', { title: 'Before', logo: { mediaId: picture.id, alt: 'A quire' } });
  const made = { slug: 'shown', title: 'Shown', content: [], previewMediaId: picture.id };
  expect((await admin.post('/sections', made)).data.previewUrl).toBe(picture.url);
  await site.collection({ slug: 'shots', fields: [{ slug: 'hero', type: 'image' }] });
  const image = { provider: 'local', id: picture.id };
  entry = (await createEntry(admin, 'shots', { hero: image, title: undefined, body: undefined })).path;
  expect(await hero()).toMatchObject({ src: picture.url });
  media = await testEnvironment.processOf('media');
  await kill(media);
});
afterAll(closeEnvironments);

describe('while the media service is unavailable and items are cached', () => {
  it('settings and sections return the cached media URLs', async () => {
    expect((await settings()).logo).toMatchObject({ url: picture.url });
    expect(await section()).toMatchObject({ previewUrl: picture.url });
  });

  it('entries return the cached images and conditional requests return 304', async () => {
    expect(await hero()).toMatchObject({ src: picture.url });
    expect(await poll(await state())).toBe(304);
  });
});

describe('while the media service is unavailable and no item is cached', () => {
  beforeAll(async () => {
    whole = await state();
    const server = await testEnvironment.server();
    await kill(server);
    await start(server);
  });

  it('entries are returned without image URLs and with another ETag', async () => {
    expect(await hero()).not.toHaveProperty('src');
    expect(await poll(whole)).toBe(200);
    lacking = await state();
    expect(await poll(lacking)).toBe(304);
  });

  it('settings are returned without media URLs', async () => {
    const answer = await admin.get('/settings');
    expect([answer.status, answer.data]).toEqual([
      200,
      { title: 'Before', logo: { mediaId: picture.id, alt: 'A quire' } },
    ]);
  });

  it('sections are returned without preview URLs', async () => {
    const shown = { slug: 'shown', previewMediaId: picture.id };
    const one = await admin.get('/sections/shown');
    const list = await admin.get('/sections');
    expect([one.status, list.status]).toEqual([200, 200]);
    for (const seen of [one.data, list.data.items[0]]) {
      expect(seen).toMatchObject(shown);
      expect(seen).not.toHaveProperty('previewUrl');
    }
  });

  it('updating settings with a media item returns 503 and stores nothing', async () => {
    const before = await settings();
    const sent = { tagline: 'Never', logo: { mediaId: other.id } };
    expect(statusAndCode(await admin.put('/settings', sent))).toEqual(away);
    expect(await settings()).toEqual(before);
  });

  it('updating sections with a preview returns 503 and stores nothing', async () => {
    const before = await section();
    const sent = { title: 'Never', previewMediaId: other.id };
    expect(statusAndCode(await admin.put('/sections/shown', sent))).toEqual(away);
    expect(await section()).toEqual(before);
    expect(statusAndCode(await admin.post('/sections', { ...sent, slug: 'never', content: [] }))).toEqual(
      away,
    );
    expect(statusAndCode(await admin.get('/sections/never'))).toEqual([404, 'NOT_FOUND']);
  });

  it('settings and sections that select nothing are changed', async () => {
    const changed = await admin.put('/settings', { tagline: 'Changed' });
    expect([changed.status, changed.data]).toMatchObject([200, { tagline: 'Changed', title: 'Before' }]);
    const put = await admin.put('/sections/shown', { title: 'Changed', previewMediaId: null });
    expect([put.status, put.data]).toMatchObject([200, { title: 'Changed', previewMediaId: null }]);
  });
});

describe('when the media service is available again', () => {
  it('settings show the addresses again', async () => {
    await start(media);
    const logo = await until('the logo is shown', async () => {
      const seen = (await settings()).logo;
      return seen.url !== undefined && seen;
    });
    expect(logo).toMatchObject({ mediaId: picture.id, url: picture.url });
  });

  it('entries show their images again, and polls do not say that nothing has changed', async () => {
    expect(await hero()).toMatchObject({ src: picture.url });
    expect(await poll(lacking)).toBe(200);
    expect(await poll(whole)).toBe(304);
  });
});

describe('while the media service does not answer', () => {
  const reads = () => [entry, '/content/shots', '/settings', '/sections'];

  beforeAll(async () => {
    const server = await testEnvironment.server();
    await kill(server);
    await start(server);
    media = await testEnvironment.processOf('media');
    process.kill(media.pid, 'SIGSTOP');
  });
  afterAll(() => void process.kill(media.pid, 'SIGCONT'));

  // Who waited as long as for an answer that is needed would be over the time of the test.
  it('entries, settings and sections are read without the addresses of what they show', async () => {
    const answers = await Promise.all(reads().map((path) => admin.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(reads().map(() => 200));
    expect(await hero()).not.toHaveProperty('src');
  });
});
