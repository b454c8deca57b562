import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, createImage, uploadFile, useSite, type Client } from '@quire/testing';
import { describeToolAccess } from './describe-tool-access.js';

const site = useSite();
let admin: Client;
let mediaId: string;

beforeAll(async () => {
  admin = await site.as('admin');
  const bytes = await createImage({ width: 4, height: 4 });
  mediaId = (await uploadFile(admin, { bytes, type: 'image/png' })).data.item.id;
});
afterEach(async () => {
  await site.sql('DELETE FROM settings');
});

const update = (settings: object) => callTool(admin, 'settings_update', settings);
const get = async () => (await callTool(admin, 'settings_get')).data;
const valueAt = (path: string, value: unknown) =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

const texts = {
  title: 'Quire',
  tagline: 'Pages',
  url: 'https://example.com',
  dateFormat: 'D MMMM YYYY',
  timezone: 'Europe/Berlin',
};
const social = {
  twitter: '@quire',
  github: 'quire',
  facebook: 'https://facebook.example/quire',
  instagram: 'quire',
  linkedin: 'https://linkedin.example/quire',
  youtube: '@quire',
};
const seo = {
  titleSeparator: '|',
  robotsTxt: 'User-agent: *',
  googleVerification: 'g-1',
  bingVerification: 'b-1',
};

describe('settings_get', () => {
  it('returns the settings object itself, {} while nothing is set', async () => {
    expect(await get()).toEqual({});
  });

  it('returns only settings that have a value', async () => {
    await update({ title: 'Quire', seo: { titleSeparator: '|' } });
    expect(await get()).toEqual({ title: 'Quire', seo: { titleSeparator: '|' } });
  });
});

describe('settings_update', () => {
  it('stores every setting and returns all settings', async () => {
    const settings = { ...texts, postsPerPage: 20, social, seo };
    expect((await update(settings)).data).toEqual(settings);
    expect((await update({})).data).toEqual(settings);
    expect(await get()).toEqual(settings);
  });

  it('keeps omitted settings, also inside social and seo', async () => {
    await update({ ...texts, social, seo });
    const { data } = await update({ title: 'New', social: { github: 'new' }, seo: { titleSeparator: '-' } });
    expect(data).toEqual({
      ...texts,
      title: 'New',
      social: { ...social, github: 'new' },
      seo: { ...seo, titleSeparator: '-' },
    });
  });

  it.each([
    ...Object.keys(texts),
    ...Object.keys(social).map((key) => `social.${key}`),
    ...Object.keys(seo).map((key) => `seo.${key}`),
  ])('clears the text %s with ""', async (path) => {
    await update({ ...texts, social, seo });
    const { data } = await update(valueAt(path, ''));
    expect(data).not.toHaveProperty(path);
    expect(Object.keys({ ...data, ...data.social, ...data.seo })).toHaveLength(16);
  });

  it('references media with their address, and removes them with null', async () => {
    const reference = { mediaId, alt: '' };
    const { data } = await update({
      logo: reference,
      favicon: { mediaId },
      seo: { defaultOgImage: { mediaId } },
    });
    expect(data).toMatchObject({
      logo: { ...reference, url: expect.any(String) },
      favicon: { mediaId, url: expect.any(String) },
      seo: { defaultOgImage: { mediaId, url: expect.any(String) } },
    });
    expect((await update({ logo: null })).data).toEqual({ favicon: data.favicon, seo: data.seo });
    expect((await update({ favicon: null, seo: { defaultOgImage: null } })).data).toEqual({});
  });

  it('ignores settings that it does not offer', async () => {
    expect((await update({ publicRedirects: true, unknown: 1, social: { myspace: 'x' } })).data).toEqual({});
  });

  it.each<[string, unknown]>([
    ['title', 1],
    ['logo', 'media'],
    ['logo.mediaId', { mediaId: 'unknown' }],
    ['url', 'javascript:alert(1)'],
    ['url', 'ftp://example.com'],
    ['postsPerPage', 0],
    ['postsPerPage', 101],
    ['postsPerPage', 1.5],
    ['postsPerPage', '10'],
    ['timezone', 'Mars/Base'],
    ['social.twitter', 'javascript:alert(1)'],
    ['seo.titleSeparator', 'x'.repeat(11)],
    ['seo.robotsTxt', 'x'.repeat(5_001)],
    ['seo.googleVerification', 'x'.repeat(101)],
    ['seo.bingVerification', 'x'.repeat(101)],
    ['seo.defaultOgImage.mediaId', 'unknown'],
  ])('rejects a wrong %s with VALIDATION_ERROR and changes nothing', async (path, value) => {
    await update({ tagline: 'Before' });
    const { code, details } = await update({
      tagline: 'After',
      ...valueAt(typeof value === 'object' ? 'logo' : path, value),
    });
    expect(code).toBe('VALIDATION_ERROR');
    expect(details?.['issues']).toEqual([expect.objectContaining({ path })]);
    expect(await get()).toEqual({ tagline: 'Before' });
  });
});

describe('access', () => {
  describeToolAccess(site, { scope: 'settings:read', minRole: 'editor' }, { settings_get: {} });
  describeToolAccess(site, { scope: 'settings:manage', minRole: 'admin' }, { settings_update: {} });
});
