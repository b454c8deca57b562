import { collection, type Entry } from './job-site.js';
import { assertEqual, type Job } from './job.js';

interface Term {
  id: string;
  slug: string;
  parentId: string | null;
}

interface BlockType {
  slug: string;
  versions: { fingerprint: string; active: boolean }[];
}

const textField = (slug: string) => ({ slug, label: slug, type: 'string' });

/** Jobs on the schema, taxonomies, menus and settings. */
export const structureJobs: readonly Job[] = [
  [
    'create a collection of events',
    async (agent) => {
      await agent.use('schema_list_collections');
      await agent.use('schema_create_collection', { slug: 'events', label: 'Events' });
      for (const [slug, type] of [
        ['title', 'string'],
        ['begins_at', 'datetime'],
      ])
        await agent.use('schema_create_field', { collection: 'events', slug, label: slug, type });
      const created = await agent.use<{ fields: { slug: string }[] }>('schema_get_collection', {
        slug: 'events',
      });
      assertEqual(created.fields.map(({ slug }) => slug).includes('begins_at'), true);
    },
  ],
  [
    'add a field and fill it',
    async (agent, site) => {
      const id = await site.draft();
      await agent.use('schema_create_field', { collection, slug: 'place', label: 'Place', type: 'string' });
      const { _rev } = await agent.use<Entry>('content_get', { collection, id });
      const args = { collection, id, _rev, data: { place: 'Bergen' } };
      assertEqual((await agent.use<Entry>('content_update', args)).item.data.place, 'Bergen');
    },
  ],
  [
    'create a block type and extend it',
    async (agent) => {
      const slug = 'quote';
      const fields = [textField('text')];
      await agent.use('schema_create_block_type', { slug, label: 'Quote', fields });
      const { item } = await agent.use<{ item: BlockType }>('schema_get_block_type', { slug });
      const expectedFingerprint = item.versions.find(({ active }) => active)?.fingerprint;
      await agent.use('schema_update_block_type', {
        slug,
        expectedFingerprint,
        fields: [...fields, textField('source')],
      });
    },
  ],
  [
    'categorise a story',
    async (agent, site) => {
      const id = await site.draft();
      const name = 'subjects';
      await agent.use('taxonomy_create', {
        name,
        label: 'Subjects',
        hierarchical: true,
        collections: [collection],
      });
      const { term } = await agent.use<{ term: Term }>('taxonomy_create_term', {
        taxonomy: name,
        label: 'Sea',
      });
      const child = { taxonomy: name, label: 'Ships', parentId: term.id };
      await agent.use('taxonomy_create_term', child);
      const { _rev } = await agent.use<Entry>('content_get', { collection, id });
      await agent.use('content_update', { collection, id, _rev, taxonomies: { [name]: ['ships'] } });
    },
  ],
  [
    'move a term to the top and delete its parent',
    async (agent) => {
      const taxonomy = 'subjects';
      const { items } = await agent.use<{ items: Term[] }>('taxonomy_list_terms', { taxonomy });
      const child = items.find(({ parentId }) => parentId !== null);
      await agent.use('taxonomy_update_term', { taxonomy, termSlug: child?.slug, parentId: null });
      await agent.use('taxonomy_delete_term', { taxonomy, termSlug: 'sea' });
    },
  ],
  [
    'create a nested menu and its translation',
    async (agent) => {
      const link = (label: string, more = {}) => ({ label, type: 'custom', customUrl: `/${label}`, ...more });
      const { id } = await agent.use<{ id: string }>('menu_create', { name: 'footer', label: 'Footer' });
      await agent.use('menu_set_items', {
        name: 'footer',
        items: [link('about'), link('team', { parentIndex: 0 }), link('contact')],
      });
      await agent.use('menu_create', { name: 'footer', label: 'Fuß', locale: 'de', translationOf: id });
      const { translations } = await agent.use<{ translations: unknown[] }>('menu_translations', { id });
      assertEqual(translations.length, 2);
    },
  ],
  [
    'change the tagline of the site',
    async (agent) => {
      await agent.use('settings_get');
      const tagline = 'Stories from the sea';
      assertEqual((await agent.use<{ tagline: string }>('settings_update', { tagline })).tagline, tagline);
    },
  ],
];
