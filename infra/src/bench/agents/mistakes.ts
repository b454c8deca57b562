import type { Agent } from './agent.js';
import { collection, type Entry, type JobSite } from './job-site.js';

/** The agents of the mistakes, by their rights. */
export interface Agents {
  admin: Agent;
  author: Agent;
  /** An Admin's token with the scope `content:read` only. */
  reader: Agent;
}

/** What a mistaken call needs. */
export interface MistakeContext {
  site: JobSite;
  admin: Agent;
}

/** A wrong call as models make it. */
export interface Mistake {
  name: string;
  tool: string;
  args: (context: MistakeContext) => object | Promise<object>;
  /** Default: `admin`. */
  as?: keyof Agents;
  code: string;
  /** Matches a text that names the fix. */
  fix: RegExp;
}

const story = { collection, data: { title: 'A story' } };
const invalid = 'VALIDATION_ERROR';

const revOf = async ({ admin }: MistakeContext, id: string) =>
  (await admin.use<Entry>('content_get', { collection, id }))._rev;

/** Mistakes in the arguments. */
const wrongArguments: readonly Mistake[] = [
  {
    name: 'a text for a whole number',
    tool: 'content_create',
    args: () => ({ collection, data: { title: 'A story', rank: 'ten' } }),
    code: invalid,
    fix: /rank.*(integer|whole number)/is,
  },
  {
    name: 'no value for a required field',
    tool: 'content_create',
    args: () => ({ collection, data: { rank: 1 } }),
    code: invalid,
    fix: /title.*required/is,
  },
  {
    name: 'an unknown field',
    tool: 'content_create',
    args: () => ({ collection, data: { title: 'A story', subtitle: 'More' } }),
    code: invalid,
    fix: /subtitle.*schema_get_collection/is,
  },
  {
    name: 'a value outside data',
    tool: 'content_create',
    args: () => ({ collection, title: 'A story' }),
    code: invalid,
    fix: /data/,
  },
  {
    name: 'no _rev',
    tool: 'content_publish',
    args: async ({ site }) => ({ collection, id: await site.draft() }),
    code: invalid,
    fix: /_rev.*content_get/is,
  },
  {
    name: 'a limit above the maximum',
    tool: 'content_list',
    args: () => ({ collection, limit: 500 }),
    code: invalid,
    fix: /limit.*100/s,
  },
  {
    name: 'a number as text',
    tool: 'content_list',
    args: () => ({ collection, limit: '10' }),
    code: invalid,
    fix: /limit.*number/s,
  },
  {
    name: 'an unknown order',
    tool: 'content_list',
    args: () => ({ collection, orderBy: 'popularity' }),
    code: invalid,
    fix: /popularity.*createdAt/s,
  },
  {
    name: 'an invented cursor',
    tool: 'content_list',
    args: () => ({ collection, cursor: 'page-2' }),
    code: 'INVALID_CURSOR',
    fix: /omit cursor/i,
  },
  {
    name: 'a schedule in the past',
    tool: 'content_schedule',
    args: async (context) => {
      const id = await context.site.draft();
      return { collection, id, _rev: await revOf(context, id), scheduledAt: '2020-01-01T00:00:00Z' };
    },
    code: invalid,
    fix: /future/,
  },
  {
    name: 'a time in words',
    tool: 'content_schedule',
    args: async (context) => {
      const id = await context.site.draft();
      return { collection, id, _rev: await revOf(context, id), scheduledAt: 'tomorrow at nine' };
    },
    code: invalid,
    fix: /ISO 8601/,
  },
  {
    name: 'bytes that are not base64',
    tool: 'media_upload',
    args: () => ({ filename: 'a.png', base64: 'https://a.example/a.png', contentType: 'image/png' }),
    code: invalid,
    fix: /base64/,
  },
  {
    name: 'a file of another type',
    tool: 'media_upload',
    args: () => ({ filename: 'a.svg', base64: 'PHN2Zy8+', contentType: 'image/svg+xml' }),
    code: 'INVALID_TYPE',
    fix: /image\/png/,
  },
];

/** Calls that the state of the site or the rights of the caller do not allow. */
const wrongState: readonly Mistake[] = [
  {
    name: 'a stale _rev',
    tool: 'content_update',
    args: async (context) => {
      const id = await context.site.draft();
      const _rev = await revOf(context, id);
      await context.site.rest('PUT', `/content/${collection}/${id}`, { data: { title: 'Another writer' } });
      return { collection, id, _rev, data: { title: 'Mine' } };
    },
    code: 'CONFLICT',
    fix: /content_get.*_rev/s,
  },
  {
    name: 'an unknown collection',
    tool: 'content_list',
    args: () => ({ collection: 'articles_2' }),
    code: 'NOT_FOUND',
    fix: /articles_2.*schema_list_collections/s,
  },
  {
    name: 'an unknown entry',
    tool: 'content_get',
    args: () => ({ collection, id: 'no-such-story' }),
    code: 'NOT_FOUND',
    fix: /no-such-story.*(content_list|search)/s,
  },
  {
    name: 'a taken slug',
    tool: 'content_create',
    args: async ({ admin }) => {
      await admin.call('content_create', { ...story, slug: 'taken' });
      return { ...story, slug: 'taken' };
    },
    code: 'SLUG_CONFLICT',
    fix: /taken.*(another|other|omit)/is,
  },
  {
    name: 'an unknown byline',
    tool: 'content_create',
    args: () => ({ ...story, bylines: [{ bylineId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }] }),
    code: invalid,
    fix: /byline.*byline_list/is,
  },
  {
    name: 'an entry that another user edits',
    tool: 'content_update',
    args: async (context) => {
      const id = await context.site.draft();
      const _rev = await revOf(context, id);
      await context.site.lock(id);
      return { collection, id, _rev, data: { title: 'Mine' } };
    },
    code: 'ENTRY_LOCKED',
    fix: /overrideLock/,
  },
  {
    name: 'a missing scope',
    tool: 'content_create',
    args: () => story,
    as: 'reader',
    code: 'INSUFFICIENT_SCOPE',
    fix: /content:write.*token/s,
  },
  {
    name: 'too low a role',
    tool: 'taxonomy_create',
    args: () => ({ name: 'tags', label: 'Tags' }),
    as: 'author',
    code: 'INSUFFICIENT_PERMISSIONS',
    fix: /administrator.*role/s,
  },
  {
    name: 'a parent in a flat taxonomy',
    tool: 'taxonomy_create_term',
    args: async ({ admin }) => {
      await admin.call('taxonomy_create', { name: 'flat', label: 'Flat' });
      const first = await admin.use<{ term: { id: string } }>('taxonomy_create_term', {
        taxonomy: 'flat',
        label: 'First',
      });
      return { taxonomy: 'flat', label: 'Second', parentId: first.term.id };
    },
    code: invalid,
    fix: /hierarchical/,
  },
  {
    name: 'a parent after its menu item',
    tool: 'menu_set_items',
    args: async ({ admin }) => {
      await admin.call('menu_create', { name: 'wrong', label: 'Wrong' });
      const link = { type: 'custom', customUrl: '/a' };
      return {
        name: 'wrong',
        items: [
          { ...link, label: 'Child', parentIndex: 1 },
          { ...link, label: 'Parent' },
        ],
      };
    },
    code: invalid,
    fix: /parentIndex.*(earlier|before|precede|less)/is,
  },
  {
    name: 'a menu of several locales without one',
    tool: 'menu_update',
    args: async ({ admin }) => {
      const menu = { name: 'several', label: 'Several' };
      const { id } = await admin.use<{ id: string }>('menu_create', menu);
      await admin.use('menu_create', { ...menu, locale: 'de', translationOf: id });
      return { name: 'several', label: 'Renamed' };
    },
    code: 'AMBIGUOUS_LOCALE',
    fix: /\bde\b.*\ben\b|\ben\b.*\bde\b/s,
  },
  {
    name: 'a collection with entries',
    tool: 'schema_delete_collection',
    args: () => ({ slug: collection }),
    code: 'COLLECTION_HAS_CONTENT',
    fix: /force: true/,
  },
];

export const mistakes: readonly Mistake[] = [...wrongArguments, ...wrongState];
