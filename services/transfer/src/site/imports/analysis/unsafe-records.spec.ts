import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { RecordKind, SiteRecord } from '@quire/site-package';
import { buildPackage, recordOf, useFixture, type PackageContent } from '@quire/testing';
import { openAnalyses } from './testing/analyses.fixture.js';
import { siteContent } from './testing/site-content.fixture.js';

const analyses = useFixture(() => openAnalyses('spec-of-unsafe-records'));
const code = 'value_constraint_violation';
const blockersOf = async (content: PackageContent) => (await analyses.plan(buildPackage(content))).blockers;

/** The package with these records of one kind. */
const withRecords = (kind: RecordKind, ...records: object[]): PackageContent => {
  const { records: others = {}, ...content } = siteContent();
  return { ...content, records: { ...others, [kind]: records } };
};
const withSetting = (key: string, value: unknown) =>
  withRecords('settings', recordOf('settings', { key, value } as Partial<SiteRecord<'settings'>>));

describe('settings of a package', () => {
  it.each<[string, unknown]>([
    ['title', 1],
    ['title', ['Site']],
    ['url', 'javascript:alert(1)'],
    ['url', 'www.example.com'],
    ['postsPerPage', -1],
    ['postsPerPage', '10'],
    ['logo', 'm1'],
    ['logo', { alt: 'A logo' }],
    ['logo', { mediaId: 'm1', url: 'javascript:alert(1)' }],
    ['publicRedirects', 'yes'],
    ['social.github', 'javascript:alert(1)'],
    ['social.github', { url: 'x' }],
    ['seo.robotsTxt', false],
  ])('are blockers with another form or an unsafe address: %s %j', async (key, value) => {
    expect(await blockersOf(withSetting(key, value))).toMatchObject([
      { code, kind: 'settings', id: key, detail: { property: 'value' } },
    ]);
  });

  it.each(['social', 'seo', 'social.other', 'toString', '__proto__', 'previewKey'])(
    'are blockers when they do not exist: %s',
    async (key) => {
      expect(await blockersOf(withSetting(key, {}))).toMatchObject([{ kind: 'settings', id: key }]);
    },
  );

  it.each<[string, unknown]>([
    ['url', ''],
    ['url', 'https://a.example'],
    ['social.github', 'quire'],
    ['logo', { mediaId: 'gone', alt: '' }],
    ['timezone', 'Europe/Berlin'],
  ])('are accepted: %s %j', async (key, value) => {
    expect(await blockersOf(withSetting(key, value))).toEqual([]);
  });
});

describe('bylines of a package', () => {
  it.each<[string, object, object]>([
    ['a slug of another form', { slug: 'Home page' }, { property: 'slug' }],
    ['choices that are no texts', { validation: { options: [1] } }, { property: 'validation' }],
    ['unknown rules', { validation: { pattern: '(' } }, { property: 'validation' }],
  ])('are blockers with a custom field that has %s', async (_, properties, detail) => {
    const field = recordOf('byline_fields', { id: 'bf', slug: 'home', ...properties });
    expect(await blockersOf(withRecords('byline_fields', field))).toMatchObject([
      { code, kind: 'byline_fields', id: 'bf', detail },
    ]);
  });

  it('are blockers with an unsafe link in a custom field, also in a shared one', async () => {
    const content = withRecords(
      'byline_fields',
      recordOf('byline_fields', { id: 'bf-1', slug: 'home', type: 'url' }),
      recordOf('byline_fields', { id: 'bf-2', slug: 'motto', type: 'string' }),
    );
    const records = content.records ?? {};
    const customFields = { home: 'javascript:alert(1)', motto: 'javascript: the good parts' };
    const [byline] = records.bylines as object[];
    const unsafe = {
      ...content,
      recordsPerFile: 1,
      records: {
        ...records,
        byline_groups: [recordOf('byline_groups', { id: 'bg', customFields })],
        bylines: [{ ...byline, customFields }],
      },
    };
    expect(await blockersOf(unsafe)).toMatchObject([
      { code, kind: 'byline_groups', id: 'bg', count: 1, detail: { path: 'customFields.home' } },
      { code, kind: 'bylines', id: 'b', count: 1, detail: { path: 'customFields.home' } },
    ]);
  });
});

describe('names of properties that every object has', () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty'];

  it('are no locale codes', async () => {
    const [menu] = siteContent().records?.menus as object[];
    expect(await blockersOf(withRecords('menus', { ...menu, locale: '__proto__' }))).toMatchObject([
      { code, kind: 'menus', id: 'menu', detail: { locale: '__proto__' } },
    ]);
  });

  it('may be ids of principals and comments', async () => {
    const { records = {}, ...content } = siteContent();
    const principals = names.map((id) => recordOf('principals', { id, displayName: id }));
    const comments = names.map((id) => recordOf('comments', { id, contentId: 'e-1', authorUserId: id }));
    const id = await analyses.upload(
      buildPackage({ ...content, records: { ...records, principals, comments } }),
    );
    const { plan } = await analyses.finish(id, { principalMappings: { constructor: 'user-ada' } });
    expect(plan?.blockers).toEqual([]);
    expect(plan?.principals.map((principal) => [principal.id, principal.references])).toEqual(
      names.map((name) => [name, 1]),
    );
    // A principal without a mapping becomes no user.
    expect(Object.entries(plan?.decisions.principalMappings ?? {})).toEqual([
      ['constructor', 'user-ada'],
      ['hasOwnProperty', null],
    ]);
  });
});
