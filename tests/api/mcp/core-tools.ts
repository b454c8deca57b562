import type { TestRole } from '@quire/testing';

type Hints = { readOnlyHint: true } | { destructiveHint: boolean } | undefined;

/** A tool of document 2: its title, scope, least role, hints, and arguments that its schema accepts. */
export type CoreTool = [
  name: string,
  title: string,
  scope: string,
  minRole: TestRole,
  hints: Hints,
  args: object,
];

const reads = { readOnlyHint: true } as const;
const deletes = { destructiveHint: true } as const;
const adds = { destructiveHint: false } as const;

const id = '01JD0000000000000000000000';
const collection = 'nowhere';
const entry = { collection, id };
const revised = { ...entry, _rev: 'x' };
const field = { collection, fieldSlug: 'title' };
const expectedFingerprint = 'x';
const scheduledAt = '2090-01-01T00:00:00Z';
const file = { filename: 'a.txt', base64: 'YQ==', contentType: 'text/plain' };

/** The tools of the server without those of site transfers (spec document 2, Tools; contract 2.5, 3). */
export const coreTools: CoreTool[] = [
  ['content_list', 'List Content', 'content:read', 'subscriber', reads, { collection }],
  ['content_get', 'Get Content', 'content:read', 'subscriber', reads, entry],
  ['content_create', 'Create Content', 'content:write', 'contributor', adds, { collection, data: {} }],
  ['content_update', 'Update Content', 'content:write', 'author', undefined, revised],
  ['content_delete', 'Delete Content (Trash)', 'content:write', 'author', deletes, entry],
  ['content_restore', 'Restore Content', 'content:write', 'author', undefined, entry],
  ['content_permanent_delete', 'Permanently Delete Content', 'content:write', 'admin', deletes, entry],
  ['content_publish', 'Publish Content', 'content:write', 'author', undefined, revised],
  ['content_unpublish', 'Unpublish Content', 'content:write', 'author', undefined, revised],
  ['content_schedule', 'Schedule Content', 'content:write', 'author', undefined, { ...revised, scheduledAt }],
  ['content_unschedule', 'Cancel Scheduled Publication', 'content:write', 'author', undefined, entry],
  ['content_compare', 'Compare Live vs Draft', 'content:read', 'contributor', reads, entry],
  ['content_discard_draft', 'Discard Draft', 'content:write', 'author', deletes, revised],
  ['content_list_trashed', 'List Trashed Content', 'content:read', 'contributor', reads, { collection }],
  ['content_duplicate', 'Duplicate Content', 'content:write', 'contributor', undefined, entry],
  ['content_translations', 'Get Content Translations', 'content:read', 'subscriber', reads, entry],
  ['byline_list', 'List Bylines', 'content:read', 'subscriber', reads, {}],
  ['byline_get', 'Get Byline', 'content:read', 'subscriber', reads, { id }],
  ['byline_create', 'Create Byline', 'content:write', 'editor', adds, { slug: 'ada', displayName: 'Ada' }],
  ['byline_update', 'Update Byline', 'content:write', 'editor', undefined, { id }],
  ['byline_delete', 'Delete Byline', 'content:write', 'editor', deletes, { id }],
  ['byline_translations', 'List Byline Translations', 'content:read', 'subscriber', reads, { id }],
  ['schema_list_collections', 'List Collections', 'schema:read', 'editor', reads, {}],
  ['schema_get_collection', 'Get Collection Schema', 'schema:read', 'editor', reads, { slug: collection }],
  ['schema_list_block_types', 'List Block Types', 'schema:read', 'editor', reads, {}],
  ['schema_get_block_type', 'Get Block Type', 'schema:read', 'editor', reads, { slug: 'hero' }],
  [
    'schema_create_block_type',
    'Create Block Type',
    'schema:write',
    'admin',
    undefined,
    { slug: 'quote', label: 'Quote', fields: [{ slug: 'text', label: 'Text', type: 'string' }] },
  ],
  [
    'schema_update_block_type',
    'Update Block Type',
    'schema:write',
    'admin',
    undefined,
    { slug: 'hero', expectedFingerprint },
  ],
  [
    'schema_activate_block_type_version',
    'Activate Block Type Version',
    'schema:write',
    'admin',
    undefined,
    { slug: 'hero', version: 1, expectedFingerprint },
  ],
  [
    'schema_create_collection',
    'Create Collection',
    'schema:write',
    'admin',
    undefined,
    { slug: 'books', label: 'Books' },
  ],
  ['schema_delete_collection', 'Delete Collection', 'schema:write', 'admin', deletes, { slug: collection }],
  ['schema_update_collection', 'Update Collection', 'schema:write', 'admin', adds, { slug: collection }],
  [
    'schema_create_field',
    'Add Field to Collection',
    'schema:write',
    'admin',
    undefined,
    { collection, slug: 'title', label: 'Title', type: 'string' },
  ],
  ['schema_delete_field', 'Remove Field from Collection', 'schema:write', 'admin', deletes, field],
  ['schema_update_field', 'Update Field', 'schema:write', 'admin', adds, { ...field, label: 'Title' }],
  ['media_list', 'List Media', 'media:read', 'subscriber', reads, {}],
  ['media_create', 'Confirm Signed Media Upload', 'media:write', 'author', undefined, { storageKey: 'x' }],
  ['media_upload', 'Upload Media', 'media:write', 'contributor', adds, file],
  ['media_get', 'Get Media Item', 'media:read', 'subscriber', reads, { id }],
  ['media_update', 'Update Media Metadata', 'media:write', 'author', undefined, { id }],
  ['media_delete', 'Delete Media', 'media:write', 'author', deletes, { id }],
  ['media_usage_repair', 'Repair Media Usage Index', 'admin', 'admin', undefined, { scope: 'all' }],
  ['search', 'Search Content', 'content:read', 'subscriber', reads, { query: 'x' }],
  ['taxonomy_list', 'List Taxonomies', 'content:read', 'subscriber', reads, {}],
  ['taxonomy_get', 'Get Taxonomy Definition', 'content:read', 'subscriber', reads, { name: 'tag' }],
  [
    'taxonomy_create',
    'Create Taxonomy Definition',
    'taxonomies:manage',
    'editor',
    undefined,
    { name: 'genre', label: 'Genres' },
  ],
  [
    'taxonomy_update',
    'Update Taxonomy Definition',
    'taxonomies:manage',
    'editor',
    undefined,
    { name: 'absent', label: 'x' },
  ],
  [
    'taxonomy_delete',
    'Delete Taxonomy Definition',
    'taxonomies:manage',
    'editor',
    deletes,
    { name: 'absent' },
  ],
  ['taxonomy_list_terms', 'List Taxonomy Terms', 'content:read', 'subscriber', reads, { taxonomy: 'tag' }],
  [
    'taxonomy_create_term',
    'Create Taxonomy Term',
    'taxonomies:manage',
    'editor',
    undefined,
    { taxonomy: 'absent', label: 'Term' },
  ],
  [
    'taxonomy_update_term',
    'Update Taxonomy Term',
    'taxonomies:manage',
    'editor',
    undefined,
    { taxonomy: 'absent', termSlug: 'x', label: 'y' },
  ],
  [
    'taxonomy_delete_term',
    'Delete Taxonomy Term',
    'taxonomies:manage',
    'editor',
    deletes,
    { taxonomy: 'absent', termSlug: 'x' },
  ],
  ['taxonomy_term_translations', 'List Term Translations', 'content:read', 'subscriber', reads, { id }],
  ['menu_list', 'List Menus', 'content:read', 'subscriber', reads, {}],
  ['menu_get', 'Get Menu with Items', 'content:read', 'subscriber', reads, { name: 'main' }],
  ['menu_translations', 'List Menu Translations', 'content:read', 'subscriber', reads, { id }],
  ['menu_create', 'Create Menu', 'menus:manage', 'editor', undefined, { name: 'main', label: 'Main' }],
  ['menu_update', 'Update Menu', 'menus:manage', 'editor', undefined, { name: 'absent', label: 'x' }],
  ['menu_delete', 'Delete Menu', 'menus:manage', 'editor', deletes, { name: 'absent' }],
  ['menu_set_items', 'Set Menu Items', 'menus:manage', 'editor', undefined, { name: 'absent', items: [] }],
  ['revision_list', 'List Revisions', 'content:read', 'contributor', reads, entry],
  ['revision_restore', 'Restore Revision', 'content:write', 'author', undefined, { revisionId: id }],
  ['settings_get', 'Get Site Settings', 'settings:read', 'editor', reads, {}],
  ['settings_update', 'Update Site Settings', 'settings:manage', 'admin', undefined, { tagline: 'x' }],
];
