import { describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode } from '@quire/testing';
import { useSettings } from './support.js';

const settings = useSettings();

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

describe('GET /settings', () => {
  it('returns an empty object on a new site', async () => {
    const { status, data } = await settings.admin.get('/settings');
    expect([status, data]).toEqual([200, {}]);
  });

  it('returns every setting that has a value, in documented order', async () => {
    await settings.update(everything);
    const text = JSON.stringify(await settings.get());
    expect(text).toBe(JSON.stringify(everything));
  });
});

describe('PUT /settings', () => {
  it('returns all settings, not only the changed ones', async () => {
    await settings.update({ title: 'Quire' });
    const { status, data } = await settings.update({ tagline: 'Pages' });
    expect([status, data]).toEqual([200, { title: 'Quire', tagline: 'Pages' }]);
  });

  it('is available as POST too, which document 1 does not list', async () => {
    const { status, data } = await settings.admin.post('/settings', { title: 'By POST' });
    expect([status, data]).toEqual([200, { title: 'By POST' }]);
    expect(await settings.get()).toEqual({ title: 'By POST' });
  });

  it('keeps settings that the request omits', async () => {
    await settings.update(everything);
    await settings.update({ postsPerPage: 5 });
    expect(await settings.get()).toEqual({ ...everything, postsPerPage: 5 });
  });

  it('changes nothing for an empty object', async () => {
    await settings.update(everything);
    const { status, data } = await settings.update({});
    expect([status, data]).toEqual([200, everything]);
  });

  it('merges seo and social key by key (decision 27)', async () => {
    await settings.update(everything);
    await settings.update({ seo: { titleSeparator: '|' }, social: { github: 'quire-cms' } });
    expect(await settings.get()).toEqual({
      ...everything,
      seo: { ...everything.seo, titleSeparator: '|' },
      social: { ...everything.social, github: 'quire-cms' },
    });
  });

  it('clears a setting with null, also inside seo and social (decision 27)', async () => {
    await settings.update(everything);
    await settings.update({
      tagline: null,
      timezone: null,
      seo: { robotsTxt: null },
      social: { twitter: null },
    });
    const { tagline, timezone, ...rest } = everything;
    const { robotsTxt, ...seo } = everything.seo;
    const { twitter, ...social } = everything.social;
    expect(await settings.get()).toEqual({ ...rest, seo, social });
  });

  it('clears seo and social with null', async () => {
    await settings.update(everything);
    await settings.update({ seo: null, social: null });
    const { seo, social, ...rest } = everything;
    expect(await settings.get()).toEqual(rest);
  });

  it('removes a group when its last key is cleared', async () => {
    await settings.update({ seo: { robotsTxt: 'x' } });
    expect((await settings.update({ seo: { robotsTxt: null } })).data).toEqual({});
  });

  it('clears the public URL with an empty string and stores other empty strings', async () => {
    await settings.update({ url: 'https://example.com', title: 'Quire' });
    expect((await settings.update({ url: '', title: '', social: { github: '' } })).data).toEqual({
      title: '',
      social: { github: '' },
    });
  });

  it('stores texts unchanged', async () => {
    const title = '  <b>Ünï</b> "quotes" \\ 👋 $1 ';
    expect((await settings.update({ title })).data).toEqual({ title });
    expect(await settings.get()).toEqual({ title });
  });

  it('ignores unknown keys', async () => {
    const body = '{"title":"T","surprise":1,"seo":{"other":"x"},"social":{"myspace":"x"}}';
    const response = await settings.admin.put('/settings', undefined, {
      rawBody: body,
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, response.data]).toEqual([200, { title: 'T' }]);
  });

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['america/new_york', 'America/New_York'],
    ['UTC', 'UTC'],
  ])('accepts the IANA timezone %s', async (sent, stored) => {
    expect((await settings.update({ timezone: sent })).data).toEqual({ timezone: stored });
  });

  it.each(['', 'Mars/Base', '+02:00', 'PST', 'Europe/Berlin; DROP TABLE settings', 5])(
    'rejects the timezone %j (decision 33)',
    async (timezone) => {
      const response = await settings.update({ timezone });
      expect([statusAndCode(response), issuePaths(response)]).toEqual([
        [400, 'VALIDATION_ERROR'],
        ['timezone'],
      ]);
    },
  );

  it.each([
    'javascript:alert(1)',
    'ftp://example.com',
    '//example.com',
    'example.com',
    'https://',
    ' https://a.b',
  ])('rejects the public URL %j', async (url) => {
    const response = await settings.update({ url });
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], ['url']]);
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', '//evil.example'])(
    'rejects the social profile %j, which pages link to',
    async (twitter) => {
      const response = await settings.update({ social: { twitter } });
      expect([statusAndCode(response), issuePaths(response)]).toEqual([
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
  ])('limits %s', async (path, maximal, tooLong) => {
    const body = (value: unknown) =>
      path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    const accepted = await settings.update(body(maximal));
    expect([accepted.status, accepted.data]).toEqual([200, body(maximal)]);
    const rejected = await settings.update(body(tooLong));
    expect([statusAndCode(rejected), issuePaths(rejected)]).toEqual([[400, 'VALIDATION_ERROR'], [path]]);
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
  ])('rejects %j with the path of each issue', async (body, paths) => {
    const response = await settings.update(body);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], paths]);
  });

  it('stores nothing of a rejected request', async () => {
    await settings.update({ title: 'Before' });
    await settings.update({ title: 'After', timezone: 'Mars/Base' });
    expect(await settings.get()).toEqual({ title: 'Before' });
  });

  it.each(['null', '[]', '"text"', '7'])('returns 400 for the body %s', async (rawBody) => {
    const response = await settings.admin.put('/settings', undefined, {
      rawBody,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(400);
  });

  it('loses no update when concurrent requests change different settings', async () => {
    const changes = [
      { title: 'Quire' },
      { social: { github: 'quire' } },
      { seo: { robotsTxt: 'x' } },
      { social: { twitter: '@q' }, tagline: 'Pages' },
      { seo: { titleSeparator: '|' }, url: 'https://example.com' },
      { postsPerPage: 3, timezone: 'UTC' },
    ];
    const responses = await Promise.all(
      [...changes, ...changes, ...changes.reverse()].map((change) => settings.update(change)),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(await settings.get()).toEqual({
      title: 'Quire',
      tagline: 'Pages',
      url: 'https://example.com',
      postsPerPage: 3,
      timezone: 'UTC',
      social: { twitter: '@q', github: 'quire' },
      seo: { titleSeparator: '|', robotsTxt: 'x' },
    });
  });

  it('serialises concurrent updates of the same settings without failures', async () => {
    const up = { title: 'A', seo: { robotsTxt: 'a' }, url: null };
    const down = { url: 'https://example.com', seo: { robotsTxt: null }, title: 'B' };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => settings.update(index % 2 ? up : down)),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect([
      { title: 'A', seo: { robotsTxt: 'a' } },
      { title: 'B', url: 'https://example.com' },
    ]).toContainEqual(await settings.get());
  });
});
