import type { Queryable } from '@quire/database';
import type { ServiceTables } from '@quire/tenancy';
import { idempotencyKeysMigration } from '@quire/idempotency';
import { outboxMigration } from '@quire/messages';
import {
  announceDraftsMigration,
  announceEntryChangeMigration,
  changeFollowersMigration,
} from './integration/change-subscriptions/index.js';
import { commentNoticesMigration, commentsMigration } from './comments/index.js';
import { bylinesMigration } from './bylines/index.js';
import { locksMigration } from './entries/locks/index.js';
import { blockTypesMigration, entryEditorsMigration, relationsMigration } from './schema/index.js';
import { taxonomiesMigration } from './taxonomies/definitions/index.js';
import { menusMigration } from './site/menus/index.js';
import { sectionsMigration } from './migrations/tenant/0020-sections.js';
import { widgetsMigration } from './site/widgets/index.js';
import { notFoundLogMigration } from './site/not-found-log/index.js';
import { previewKeysMigration } from './entries/previews/index.js';
import { redirectsMigration } from './site/redirects/index.js';
import { heartbeatMigration } from './entries/scheduling/index.js';
import { searchVersionsMigration } from './integration/search-documents/index.js';
import { settingsMigration } from './site/settings/index.js';
import { readOnlyModeMigration } from './integration/read-only-mode/index.js';

/** Fixed tables of a tenant. A collection's own table is built by schema/. */
async function schemaAndRevisions(sql: Queryable): Promise<void> {
  await sql.query(`
    CREATE TABLE collections (
      id text PRIMARY KEY,
      slug text NOT NULL,
      label text NOT NULL,
      label_singular text,
      description text,
      icon text,
      admin json,
      supports text[] NOT NULL,
      source text,
      url_pattern text,
      routable boolean NOT NULL,
      has_seo boolean NOT NULL,
      hidden boolean NOT NULL,
      sort_order integer,
      title_field text,
      date_field text,
      comments_enabled boolean NOT NULL DEFAULT false,
      comments_moderation text NOT NULL DEFAULT 'first_time',
      comments_closed_after_days integer NOT NULL DEFAULT 90,
      comments_auto_approve_users boolean NOT NULL DEFAULT true,
      edit_locking boolean NOT NULL DEFAULT true,
      "group" text,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
  await sql.query('CREATE UNIQUE INDEX collections_slug ON collections (slug)');
  await sql.query(`
    CREATE TABLE fields (
      id text PRIMARY KEY,
      collection_id text NOT NULL,
      slug text NOT NULL,
      label text NOT NULL,
      type text NOT NULL,
      required boolean NOT NULL,
      "unique" boolean NOT NULL,
      searchable boolean NOT NULL,
      indexed boolean NOT NULL,
      translatable boolean NOT NULL,
      default_value json,
      validation json,
      widget text,
      options json,
      sort_order integer NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT fields_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections (id) ON DELETE CASCADE
    )`);
  await sql.query('CREATE UNIQUE INDEX fields_collection_id_slug ON fields (collection_id, slug)');
  // Revisions of every collection lie in one table: an entry id is unique across collections.
  await sql.query(`
    CREATE TABLE revisions (
      id text PRIMARY KEY,
      collection text NOT NULL,
      entry_id text NOT NULL,
      data json NOT NULL,
      author_id text,
      created_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
  await sql.query('CREATE INDEX revisions_entry_id ON revisions (entry_id, id)');
}

/** When which entry is due, across tenants, so that one sweep statement sees every site of a database. */
async function schedules(sql: Queryable): Promise<void> {
  await sql.query(`
    CREATE TABLE schedules (
      tenant_id text NOT NULL,
      entry_id text NOT NULL,
      collection text NOT NULL,
      due_at timestamptz(3) NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz(3) NOT NULL,
      CONSTRAINT schedules_pkey PRIMARY KEY (tenant_id, entry_id)
    )`);
  await sql.query('CREATE INDEX schedules_next_attempt_at ON schedules (next_attempt_at)');
}

/** The content service's tables: one set a tenant, and its outbox and schedules across tenants. */
export const contentTables: ServiceTables = {
  tenant: [
    { name: '0001-schema-and-revisions', up: schemaAndRevisions },
    bylinesMigration,
    locksMigration,
    blockTypesMigration,
    relationsMigration,
    taxonomiesMigration,
    sectionsMigration,
    widgetsMigration,
    menusMigration,
    settingsMigration,
    redirectsMigration,
    notFoundLogMigration,
    commentsMigration,
    changeFollowersMigration,
    readOnlyModeMigration,
    commentNoticesMigration,
    entryEditorsMigration,
    announceDraftsMigration,
    previewKeysMigration,
  ],
  shared: [
    outboxMigration,
    { name: '0002-schedules', up: schedules },
    announceEntryChangeMigration,
    searchVersionsMigration,
    idempotencyKeysMigration('0005-idempotency-keys'),
    heartbeatMigration,
  ],
};
