import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterEach(async () => {
  await site.sql('DELETE FROM settings');
});
afterAll(() => site.close());

const read = async () => (await admin.get('/settings')).data;
const put = (body: unknown) => admin.put('/settings', body);

const everything = {
  title: 'Quire',
  tagline: 'Pages, kept together',
  url: 'https://example.com',
  postsPerPage: 20,
  dateFormat: 'D MMMM YYYY',
  timezone: 'Europe/Berlin',
  publicRedirects: true,
  social: {
    twitter: '@quire',
    github: 'quire',
    facebook: 'https://facebook.example/quire',
    instagram: 'quire',
    linkedin: 'https://linkedin.example/company/quire',
    youtube: '@quire',
  },
  seo: {
    titleSeparator: ' – ',
    robotsTxt: 'User-agent: *\nDisallow: /drafts',
    googleVerification: 'g-123',
    bingVerification: 'b-123',
  },
};

describe('getSettings', () => {
  it('answers an empty object before anything was set', async () => {
    const { status, data } = await admin.get('/settings');
    expect([status, data]).toEqual([200, {}]);
  });

  it('answers every setting that has a value, in the order of the documentation', async () => {
    await put(everything);
    const text = JSON.stringify(await read());
    expect(text).toBe(JSON.stringify(everything));
  });
});

describe('updateSettings', () => {
  it('answers all settings after the change, not the changed ones alone', async () => {
    await put({ title: 'Quire' });
    const { status, data } = await put({ tagline: 'Pages' });
    expect([status, data]).toEqual([200, { title: 'Quire', tagline: 'Pages' }]);
  });

  it('is taken by POST as well, which the document does not name', async () => {
    const { status, data } = await admin.post('/settings', { title: 'By POST' });
    expect([status, data]).toEqual([200, { title: 'By POST' }]);
    expect(await read()).toEqual({ title: 'By POST' });
  });

  it('leaves alone what is not sent', async () => {
    await put(everything);
    await put({ postsPerPage: 5 });
    expect(await read()).toEqual({ ...everything, postsPerPage: 5 });
  });

  it('changes nothing when nothing is sent', async () => {
    await put(everything);
    const { status, data } = await put({});
    expect([status, data]).toEqual([200, everything]);
  });

  it('merges seo and social key by key (decision 27)', async () => {
    await put(everything);
    await put({ seo: { titleSeparator: '|' }, social: { github: 'quire-cms' } });
    expect(await read()).toEqual({
      ...everything,
      seo: { ...everything.seo, titleSeparator: '|' },
      social: { ...everything.social, github: 'quire-cms' },
    });
  });

  it('clears with null, also inside seo and social (decision 27)', async () => {
    await put(everything);
    await put({ tagline: null, timezone: null, seo: { robotsTxt: null }, social: { twitter: null } });
    const { tagline, timezone, ...kept } = everything;
    const { robotsTxt, ...seo } = everything.seo;
    const { twitter, ...social } = everything.social;
    expect(await read()).toEqual({ ...kept, seo, social });
  });

  it('clears the whole of seo and social with null', async () => {
    await put(everything);
    await put({ seo: null, social: null });
    const { seo, social, ...kept } = everything;
    expect(await read()).toEqual(kept);
  });

  it('leaves no empty group behind when its last key is cleared', async () => {
    await put({ seo: { robotsTxt: 'x' } });
    expect((await put({ seo: { robotsTxt: null } })).data).toEqual({});
  });

  it('clears the public URL with an empty text; other texts may be empty', async () => {
    await put({ url: 'https://example.com', title: 'Quire' });
    expect((await put({ url: '', title: '', social: { github: '' } })).data).toEqual({
      title: '',
      social: { github: '' },
    });
  });

  it('keeps texts exactly as they are sent', async () => {
    const title = '  <b>Ünï</b> "quotes" \\ 👋 $1 ';
    expect((await put({ title })).data).toEqual({ title });
    expect(await read()).toEqual({ title });
  });

  it('drops keys that it does not know', async () => {
    const body = '{"title":"T","surprise":1,"seo":{"other":"x"},"social":{"myspace":"x"}}';
    const answer = await admin.put('/settings', undefined, {
      rawBody: body,
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.data]).toEqual([200, { title: 'T' }]);
  });

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['america/new_york', 'America/New_York'],
    ['UTC', 'UTC'],
  ])('takes the IANA timezone %s', async (sent, stored) => {
    expect((await put({ timezone: sent })).data).toEqual({ timezone: stored });
  });

  it.each(['', 'Mars/Base', '+02:00', 'PST', 'Europe/Berlin; DROP TABLE settings', 5])(
    'refuses the timezone %j (decision 33)',
    async (timezone) => {
      const answer = await put({ timezone });
      expect([statusAndCode(answer), issuePaths(answer)]).toEqual([[400, 'VALIDATION_ERROR'], ['timezone']]);
    },
  );

  it.each([
    'javascript:alert(1)',
    'ftp://example.com',
    '//example.com',
    'example.com',
    'https://',
    ' https://a.b',
  ])('refuses the public URL %j', async (url) => {
    const answer = await put({ url });
    expect([statusAndCode(answer), issuePaths(answer)]).toEqual([[400, 'VALIDATION_ERROR'], ['url']]);
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', '//evil.example'])(
    'refuses the profile %j, of which pages make a link',
    async (twitter) => {
      const answer = await put({ social: { twitter } });
      expect([statusAndCode(answer), issuePaths(answer)]).toEqual([
        [400, 'VALIDATION_ERROR'],
        ['social.twitter'],
      ]);
    },
  );

  it.each<[string, unknown, unknown]>([
    ['title', 'x'.repeat(200), 'x'.repeat(201)],
    ['tagline', 'x'.repeat(500), 'x'.repeat(501)],
    ['url', `https://a.b/${'x'.repeat(2_036)}`, `https://a.b/${'x'.repeat(2_037)}`],
    ['postsPerPage', 1, 0],
    ['postsPerPage', 100, 101],
    ['dateFormat', 'x'.repeat(100), 'x'.repeat(101)],
    ['social.youtube', 'x'.repeat(500), 'x'.repeat(501)],
    ['seo.titleSeparator', 'x'.repeat(10), 'x'.repeat(11)],
    ['seo.robotsTxt', 'x'.repeat(5_000), 'x'.repeat(5_001)],
    ['seo.googleVerification', 'x'.repeat(100), 'x'.repeat(101)],
    ['seo.bingVerification', 'x'.repeat(100), 'x'.repeat(101)],
  ])('limits %s', async (path, longest, tooLong) => {
    const body = (value: unknown) =>
      path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    const taken = await put(body(longest));
    expect([taken.status, taken.data]).toEqual([200, body(longest)]);
    const refused = await put(body(tooLong));
    expect([statusAndCode(refused), issuePaths(refused)]).toEqual([[400, 'VALIDATION_ERROR'], [path]]);
  });

  it.each<[object, string[]]>([
    [{ title: 1 }, ['title']],
    [{ title: 'a\u0000' }, ['title']],
    [{ title: '\ud800' }, ['title']],
    [{ postsPerPage: '10' }, ['postsPerPage']],
    [{ postsPerPage: 1.5 }, ['postsPerPage']],
    [{ publicRedirects: 'yes' }, ['publicRedirects']],
    [{ logo: 'media' }, ['logo']],
    [{ logo: {} }, ['logo.mediaId']],
    [{ logo: { mediaId: '' } }, ['logo.mediaId']],
    [{ favicon: { mediaId: 'x'.repeat(65) } }, ['favicon.mediaId']],
    [{ seo: { defaultOgImage: { mediaId: 'a', alt: 'x'.repeat(1_001) } } }, ['seo.defaultOgImage.alt']],
    [{ social: [] }, ['social']],
    [{ seo: 'x' }, ['seo']],
    [{ title: 1, seo: { robotsTxt: 2 } }, ['title', 'seo.robotsTxt']],
  ])('refuses %j and names the place', async (body, paths) => {
    const answer = await put(body);
    expect([statusAndCode(answer), issuePaths(answer)]).toEqual([[400, 'VALIDATION_ERROR'], paths]);
  });

  it('stores nothing of a request that is refused', async () => {
    await put({ title: 'Before' });
    await put({ title: 'After', timezone: 'Mars/Base' });
    expect(await read()).toEqual({ title: 'Before' });
  });

  it.each(['null', '[]', '"text"', '7'])('refuses the body %s', async (rawBody) => {
    const answer = await admin.put('/settings', undefined, {
      rawBody,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
  });

  it('loses nothing when many change different settings at the same time', async () => {
    const changes = [
      { title: 'Quire' },
      { social: { github: 'quire' } },
      { seo: { robotsTxt: 'x' } },
      { social: { twitter: '@q' }, tagline: 'Pages' },
      { seo: { titleSeparator: '|' }, url: 'https://example.com' },
      { postsPerPage: 3, timezone: 'UTC' },
    ];
    const answers = await Promise.all([...changes, ...changes, ...changes.reverse()].map(put));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await read()).toEqual({
      title: 'Quire',
      tagline: 'Pages',
      url: 'https://example.com',
      postsPerPage: 3,
      timezone: 'UTC',
      social: { twitter: '@q', github: 'quire' },
      seo: { titleSeparator: '|', robotsTxt: 'x' },
    });
  });

  it('takes writers of the same settings in turn, none of them failing', async () => {
    const up = { title: 'A', seo: { robotsTxt: 'a' }, url: null };
    const down = { url: 'https://example.com', seo: { robotsTxt: null }, title: 'B' };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => put(index % 2 ? up : down)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect([
      { title: 'A', seo: { robotsTxt: 'a' } },
      { title: 'B', url: 'https://example.com' },
    ]).toContainEqual(await read());
  });
});
