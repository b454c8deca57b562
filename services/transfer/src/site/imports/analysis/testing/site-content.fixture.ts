import { sha256Of, type SiteRecord } from '@quire/site-package';
import { recordOf, type PackageContent } from '@quire/testing';

const image = Buffer.from('bytes of an image');
const paragraph = { _type: 'block', _key: 'a', style: 'normal', children: [{ _type: 'span', text: 'Text' }] };
const choices = { options: ['red', 'blue'] };
const rows = {
  subFields: [
    { slug: 'label', label: 'Label', type: 'string' },
    { slug: 'link', label: 'Link', type: 'url' },
  ],
};

/** A field of each type by slug, with the value of an entry. Some values break rules of their fields. */
const fields: Record<string, [Partial<SiteRecord<'fields'>>, unknown]> = {
  title: [{ type: 'string', required: true, indexed: true }, ''],
  summary: [{ type: 'text', validation: { maxLength: 3 } }, 'longer than it may be'],
  link: [{ type: 'url' }, 'www.example.com'],
  price: [{ type: 'number', validation: { min: 1 } }, 0.1],
  stock: [{ type: 'integer' }, 9007199254740991],
  isopen: [{ type: 'boolean' }, true],
  at: [{ type: 'datetime' }, '0001-01-01T00:00:00.000Z'],
  color: [{ type: 'select', validation: choices }, 'green'],
  colors: [{ type: 'multiSelect', validation: choices }, ['red', 'blue']],
  content: [{ type: 'portableText' }, [paragraph]],
  picture: [{ type: 'image' }, { mediaId: 'm1' }],
  attachment: [{ type: 'file' }, { provider: 'local', id: 'm1', filename: 'a.pdf' }],
  friend: [{ type: 'reference' }, 'e-gone'],
  friends: [{ type: 'reference', options: { allowMultiple: true } }, ['e-1', 'e-gone']],
  extra: [{ type: 'json' }, '{ "b": 1.0, "a": 12345678901234567890 }'],
  alias: [{ type: 'slug', unique: true }, 'alias'],
  rows: [{ type: 'repeater', validation: rows }, [{ label: 'a', link: '/a' }, { label: null }]],
  blocks: [
    { type: 'blocks' },
    [{ _type: 'quote', _version: 1, _key: 'k', text: 'Q', link: 'https://a.example' }],
  ],
};
const values = Object.fromEntries(Object.entries(fields).map(([slug, [, value]]) => [slug, value]));
const empty = Object.fromEntries(Object.keys(fields).map((slug) => [slug, null]));

/** Records of every kind and every type of field. The analysis of the package finds no blocker. */
export function siteContent(): PackageContent {
  const times = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:05.678Z' };
  const entry = { ...times, collection: 'posts', locale: 'en', translationGroup: 'g-1' };
  return {
    media: [image],
    records: {
      principals: [
        recordOf('principals', { id: 'p-ada', displayName: 'Ada', email: 'Ada@Example.com' }),
        recordOf('principals', { id: 'p-max', displayName: 'Max', email: 'max@example.com' }),
      ],
      settings: [recordOf('settings', { key: 'title', value: 'Package' })],
      block_types: [recordOf('block_types', { id: 'bt', slug: 'quote', currentVersion: 1 })],
      block_type_versions: [
        recordOf('block_type_versions', {
          id: 'btv',
          blockTypeId: 'bt',
          version: 1,
          fields: [
            { slug: 'text', label: 'Text', type: 'text' },
            { slug: 'link', label: 'Link', type: 'url' },
          ],
        }),
      ],
      collections: [recordOf('collections', { id: 'c', slug: 'posts', label: 'Posts' })],
      fields: Object.entries(fields)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([slug, [definition]]) =>
          recordOf('fields', {
            id: `f-${slug}`,
            collectionId: 'c',
            slug,
            label: slug,
            defaultValue: null,
            ...definition,
          }),
        ),
      relations: [
        recordOf('relations', {
          id: 'r',
          slug: 'posts_posts',
          parentCollection: 'posts',
          childCollection: 'gone',
        }),
      ],
      search_collections: [recordOf('search_collections', { collectionId: 'c' })],
      media_folders: [recordOf('media_folders', { id: 'mf', name: 'Logos' })],
      media_items: [
        recordOf('media_items', {
          id: 'm1',
          storageKey: 'm1.png',
          mimeType: 'image/png',
          sha256: sha256Of(image),
          size: image.length,
          folderId: 'mf',
          authorId: 'p-ada',
        }),
      ],
      byline_fields: [recordOf('byline_fields', { id: 'bf' })],
      byline_groups: [recordOf('byline_groups', { id: 'bg' })],
      bylines: [recordOf('bylines', { id: 'b', locale: 'en', translationGroup: 'bg', userId: 'p-max' })],
      taxonomies: [recordOf('taxonomies', { id: 't', name: 'category' })],
      taxonomy_definitions: [recordOf('taxonomy_definitions', { id: 'td', taxonomyId: 't', locale: 'en' })],
      term_groups: [
        recordOf('term_groups', { id: 'tg-1', taxonomyId: 't' }),
        recordOf('term_groups', { id: 'tg-2', taxonomyId: 't', parentId: 'tg-1' }),
        recordOf('term_groups', { id: 'tg-3', taxonomyId: 't', parentId: 'tg-2' }),
      ],
      terms: [recordOf('terms', { id: 'term', groupId: 'tg-1', taxonomyId: 't', locale: 'en' })],
      entries: [
        recordOf('entries', {
          ...entry,
          id: 'e-1',
          slug: 'one',
          authorId: 'p-ada',
          draftRevisionId: 'rev',
          values,
        }),
        recordOf('entries', { ...entry, id: 'e-2', locale: 'de', authorId: 'p-gone', values: empty }),
        recordOf('entries', { ...entry, id: 'e-3', translationGroup: 'g-3', values: empty }),
      ],
      revisions: [
        recordOf('revisions', {
          id: 'rev',
          collection: 'posts',
          entryId: 'e-1',
          data: { title: 'Draft', former: 1, _slug: 'x' },
          authorId: 'p-max',
        }),
      ],
      entry_bylines: [recordOf('entry_bylines', { entryId: 'e-1', group: 'bg' })],
      entry_terms: [recordOf('entry_terms', { entryGroup: 'g-1', termGroup: 'tg-1' })],
      reference_links: [
        recordOf('reference_links', { relationId: 'r', parentGroup: 'g-1', childGroup: 'g-3' }),
      ],
      comments: [
        recordOf('comments', { id: 'c-1', contentId: 'e-1', authorUserId: 'p-max' }),
        recordOf('comments', { id: 'c-2', contentId: 'e-1', parentId: 'c-1' }),
      ],
      sections: [recordOf('sections', { id: 's' })],
      menus: [recordOf('menus', { id: 'menu', name: 'main', locale: 'en' })],
      menu_items: [recordOf('menu_items', { id: 'mi', menuId: 'menu' })],
      widget_areas: [recordOf('widget_areas', { id: 'wa' })],
      widgets: [recordOf('widgets', { id: 'w', areaId: 'wa', menuName: 'main' })],
      redirects: [recordOf('redirects', { id: 'rd', source: '/old', destination: '/new' })],
    },
  };
}
