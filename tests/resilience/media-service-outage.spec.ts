import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, createImage, statusAndCode, uploadFile, type Client, type Site } from '@quire/testing';
import { useTestEnvironment, waitUntil, type RunningProcess } from './support.js';

const testEnvironment = useTestEnvironment({ arrangement: 'media-separate' });
let site: Site;
let admin: Client;
let media: RunningProcess;
let image: { id: string; url: string };
let other: { id: string };
let entry: string;
/** ETags of the entry with the URL of its image, and without. */
let fullEtag: string;
let partialEtag: string;

const upload = async () => {
  const bytes = await createImage({ width: 12, height: 9 });
  return (await uploadFile(admin, { bytes, type: 'image/png' })).data.item;
};
async function kill({ pid: killedPid }: RunningProcess): Promise<void> {
  process.kill(killedPid, 'SIGKILL');
  await waitUntil('the process has ended', async () => {
    const { processes } = await testEnvironment.installation();
    return processes.every(({ pid }) => pid !== killedPid);
  });
}
const start = ({ targets, port }: RunningProcess) =>
  testEnvironment.control('/targets/start', { targets, port });
const settings = async () => (await admin.get('/settings')).data;
const section = async () => (await admin.get('/sections/shown')).data;
const hero = async () => (await admin.get(entry)).data.item.data.hero;
/** Current ETag of the entry. */
const currentEtag = async () => String((await admin.get(entry)).headers.get('etag'));
const poll = async (etag: string) => (await admin.get(entry, { headers: { 'if-none-match': etag } })).status;
const unavailable = [503, 'SERVICE_UNAVAILABLE'];

beforeAll(async () => {
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  [image, other] = [await upload(), await upload()];
  await admin.put('/settings', { title: 'Before', logo: { mediaId: image.id, alt: 'A quire' } });
  const input = { slug: 'shown', title: 'Shown', content: [], previewMediaId: image.id };
  expect((await admin.post('/sections', input)).data.previewUrl).toBe(image.url);
  await site.collection({ slug: 'shots', fields: [{ slug: 'hero', type: 'image' }] });
  const heroValue = { provider: 'local', id: image.id };
  entry = (await createEntry(admin, 'shots', { hero: heroValue, title: undefined, body: undefined })).path;
  expect(await hero()).toMatchObject({ src: image.url });
  media = await testEnvironment.processOf('media');
  await kill(media);
});

describe('while the media service is unavailable and items are cached', () => {
  it('settings and sections return the cached media URLs', async () => {
    expect((await settings()).logo).toMatchObject({ url: image.url });
    expect(await section()).toMatchObject({ previewUrl: image.url });
  });

  it('entries return the cached images and conditional requests return 304', async () => {
    expect(await hero()).toMatchObject({ src: image.url });
    expect(await poll(await currentEtag())).toBe(304);
  });
});

describe('while the media service is unavailable and no item is cached', () => {
  beforeAll(async () => {
    fullEtag = await currentEtag();
    const server = await testEnvironment.server();
    await kill(server);
    await start(server);
  });

  it('entries are returned without image URLs and with another ETag', async () => {
    expect(await hero()).not.toHaveProperty('src');
    expect(await poll(fullEtag)).toBe(200);
    partialEtag = await currentEtag();
    expect(await poll(partialEtag)).toBe(304);
  });

  it('settings are returned without media URLs', async () => {
    const response = await admin.get('/settings');
    expect([response.status, response.data]).toEqual([
      200,
      { title: 'Before', logo: { mediaId: image.id, alt: 'A quire' } },
    ]);
  });

  it('sections are returned without preview URLs', async () => {
    const shown = { slug: 'shown', previewMediaId: image.id };
    const one = await admin.get('/sections/shown');
    const list = await admin.get('/sections');
    expect([one.status, list.status]).toEqual([200, 200]);
    for (const section of [one.data, list.data.items[0]]) {
      expect(section).toMatchObject(shown);
      expect(section).not.toHaveProperty('previewUrl');
    }
  });

  it('updating settings with a media item returns 503 and stores nothing', async () => {
    const before = await settings();
    const input = { tagline: 'Never', logo: { mediaId: other.id } };
    expect(statusAndCode(await admin.put('/settings', input))).toEqual(unavailable);
    expect(await settings()).toEqual(before);
  });

  it('updating sections with a preview returns 503 and stores nothing', async () => {
    const before = await section();
    const input = { title: 'Never', previewMediaId: other.id };
    expect(statusAndCode(await admin.put('/sections/shown', input))).toEqual(unavailable);
    expect(await section()).toEqual(before);
    expect(statusAndCode(await admin.post('/sections', { ...input, slug: 'never', content: [] }))).toEqual(
      unavailable,
    );
    expect(statusAndCode(await admin.get('/sections/never'))).toEqual([404, 'NOT_FOUND']);
  });

  it('updates of settings and sections without media succeed', async () => {
    const changed = await admin.put('/settings', { tagline: 'Changed' });
    expect([changed.status, changed.data]).toMatchObject([200, { tagline: 'Changed', title: 'Before' }]);
    const put = await admin.put('/sections/shown', { title: 'Changed', previewMediaId: null });
    expect([put.status, put.data]).toMatchObject([200, { title: 'Changed', previewMediaId: null }]);
  });
});

describe('after the media service is available again', () => {
  it('settings return media URLs again', async () => {
    await start(media);
    const logo = await waitUntil('the logo is shown', async () => {
      const current = (await settings()).logo;
      return current.url !== undefined && current;
    });
    expect(logo).toMatchObject({ mediaId: image.id, url: image.url });
  });

  it('entries return images again, and conditional requests return the current state', async () => {
    expect(await hero()).toMatchObject({ src: image.url });
    expect(await poll(partialEtag)).toBe(200);
    expect(await poll(fullEtag)).toBe(304);
  });
});

describe('while the media service does not respond', () => {
  const reads = () => [entry, '/content/shots', '/settings', '/sections'];

  beforeAll(async () => {
    const server = await testEnvironment.server();
    await kill(server);
    await start(server);
    media = await testEnvironment.processOf('media');
    process.kill(media.pid, 'SIGSTOP');
  });
  afterAll(() => void process.kill(media.pid, 'SIGCONT'));

  // Reads wait only briefly for the media service: the timeout of writes would exceed that of the test.
  it('entries, settings and sections are returned without media URLs', async () => {
    const responses = await Promise.all(reads().map((path) => admin.get(path)));
    expect(responses.map(({ status }) => status)).toEqual(reads().map(() => 200));
    expect(await hero()).not.toHaveProperty('src');
  });
});
