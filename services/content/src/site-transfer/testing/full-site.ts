import type { Context } from '@quire/context';
import { insertRows, type Queryable } from '@quire/database';
import { EntryByline } from '../../bylines/credits/index.js';
import { Byline, BylineField, BylineGroup } from '../../bylines/index.js';
import { Comment } from '../../comments/index.js';
import { Menu, MenuItem } from '../../site/menus/index.js';
import { Redirect } from '../../site/redirects/index.js';
import { Section } from '../../site/sections/index.js';
import { Setting } from '../../site/settings/index.js';
import { Widget, WidgetArea } from '../../site/widgets/index.js';
import { Taxonomy, TaxonomyDefinition } from '../../taxonomies/definitions/index.js';
import { EntryTerm, Term, TermGroup } from '../../taxonomies/terms/index.js';
import { insertFullEntries, paragraph } from './full-entries.js';
import { createFullSchema } from './full-schema.js';

/** Creates a site that has records of every kind and every field type. */
export async function createFullSite(ctx: Context): Promise<void> {
  const { db } = ctx;
  await createFullSchema(ctx);
  await insertFullEntries(db);
  await insertClassification(db);
  await insertDiscussion(db);
  await insertPresentation(db);
}

async function insertClassification(db: Queryable): Promise<void> {
  await insertRows(db, BylineField, [
    {
      id: 'bf-1',
      slug: 'job',
      label: 'Job',
      type: 'select',
      required: true,
      translatable: true,
      sortOrder: 0,
      validation: choices,
    },
    {
      id: 'bf-2',
      slug: 'hired',
      label: 'Hired',
      type: 'boolean',
      required: false,
      translatable: false,
      sortOrder: 1,
    },
  ]);
  await insertRows(db, BylineGroup, [{ id: 'bg-1', customFields: { hired: true } }]);
  const byline = { displayName: 'Ada', isGuest: false, translationGroup: 'bg-1' };
  await insertRows(db, Byline, [
    {
      ...byline,
      id: 'b-en',
      slug: 'ada',
      locale: 'en',
      userId: 'user-1',
      avatarMediaId: 'm1',
      customFields: { job: 'Editor' },
    },
    { ...byline, id: 'b-de', slug: 'ada', locale: 'de', bio: 'Ada', customFields: {} },
  ]);
  await insertRows(db, EntryByline, [
    { entryId: 'e-published', collection: 'posts', group: 'bg-1', sortOrder: 0, roleLabel: 'Editor' },
  ]);
  await insertRows(db, Taxonomy, [
    { id: 't-1', name: 'category', hierarchical: true, collections: ['posts', 'gone'] },
  ]);
  await insertRows(db, TaxonomyDefinition, [
    { id: 'td-en', taxonomyId: 't-1', locale: 'en', label: 'Categories', labelSingular: 'Category' },
    { id: 'td-de', taxonomyId: 't-1', locale: 'de', label: 'Kategorien' },
  ]);
  await insertRows(db, TermGroup, [{ id: 'tg-root', taxonomyId: 't-1', sortOrder: 0 }]);
  await insertRows(db, TermGroup, [{ id: 'tg-leaf', taxonomyId: 't-1', parentId: 'tg-root', sortOrder: 1 }]);
  const term = { taxonomyId: 't-1', locale: 'en', label: 'News' };
  await insertRows(db, Term, [
    { ...term, id: 'term-root', groupId: 'tg-root', slug: 'ü'.repeat(255), description: 'All' },
    { ...term, id: 'term-leaf', groupId: 'tg-leaf', slug: 'leaf' },
    { ...term, id: 'term-de', groupId: 'tg-leaf', slug: 'blatt', locale: 'de' },
  ]);
  await insertRows(db, EntryTerm, [
    { entryGroup: 'g-e-published', termGroup: 'tg-leaf', collection: 'posts' },
  ]);
}

const choices = { options: ['Editor', 'Author'] };

async function insertDiscussion(db: Queryable): Promise<void> {
  const comment = {
    collection: 'posts',
    contentId: 'e-published',
    authorName: 'Eva',
    authorEmail: 'eva@a.example',
  };
  await insertRows(db, Comment, [
    {
      ...comment,
      id: 'c-root',
      body: 'Hello\n',
      status: 'approved',
      announcedAt: '2026-01-01T00:00:00.000Z',
      ipHash: 'hash',
      userAgent: 'Agent',
    },
  ]);
  await insertRows(db, Comment, [
    { ...comment, id: 'c-reply', parentId: 'c-root', body: 'Hi', status: 'pending', authorUserId: 'user-4' },
    {
      ...comment,
      id: 'c-spam',
      body: 'x',
      status: 'spam',
      moderationMetadata: { reason: 'too_many_links', links: 9 },
    },
  ]);
}

async function insertPresentation(db: Queryable): Promise<void> {
  await insertRows(db, Setting, [
    { key: 'title', value: 'Site' },
    { key: 'seo.defaultOgImage', value: { mediaId: 'm1' } },
    { key: 'formerSecret', value: 'x' },
  ]);
  await insertRows(db, Section, [
    {
      id: 's-1',
      slug: 'intro',
      title: 'Intro',
      keywords: ['a', 'b'],
      content: [paragraph('Intro')],
      previewMediaId: 'm1',
      source: 'theme',
      themeId: 'dark',
    },
  ]);
  await insertRows(db, Menu, [
    { id: 'menu-en', name: 'main', label: 'Main', locale: 'en', translationGroup: 'mg-1' },
    { id: 'menu-de', name: 'main', label: 'Haupt', locale: 'de', translationGroup: 'mg-1' },
  ]);
  const item = { menuId: 'menu-en', sortOrder: 0, label: 'Item' };
  await insertRows(db, MenuItem, [
    {
      ...item,
      id: 'mi-1',
      type: 'custom',
      customUrl: '/a',
      target: '_blank',
      cssClasses: 'x',
      titleAttr: 'T',
      translationGroup: 'ig-1',
    },
  ]);
  await insertRows(db, MenuItem, [
    {
      ...item,
      id: 'mi-2',
      type: 'post',
      referenceCollection: 'posts',
      referenceId: 'g-e-published',
      parentId: 'mi-1',
      translationGroup: 'ig-2',
    },
    {
      ...item,
      id: 'mi-3',
      type: 'taxonomy',
      referenceCollection: 'category',
      referenceId: 'tg-leaf',
      translationGroup: 'ig-3',
    },
  ]);
  await insertRows(db, WidgetArea, [{ id: 'wa-1', name: 'side', label: 'Side', description: 'Right' }]);
  const widget = { areaId: 'wa-1', sortOrder: 0 };
  await insertRows(db, Widget, [
    { ...widget, id: 'w-1', type: 'content', title: 'T', content: [paragraph('W')] },
    { ...widget, id: 'w-2', type: 'menu', menuName: 'main' },
    { ...widget, id: 'w-3', type: 'component', componentId: 'search', componentProps: { size: 1 } },
  ]);
  await insertRows(db, Redirect, [
    {
      id: 'rd-1',
      source: '/old',
      sourceKey: '/old',
      destination: '/new',
      type: 301,
      enabled: true,
      hits: 5,
      groupName: 'G',
    },
    {
      id: 'rd-2',
      source: '/a/[...rest]',
      sourceKey: '/a/*',
      prefix: '/a/',
      destination: '',
      type: 410,
      enabled: false,
      auto: true,
    },
  ]);
}
