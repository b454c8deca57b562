import { z } from 'zod';

/** The first entry of a backup. */
export const manifestName = 'backup.json';

/** Programs read the formats up to theirs. */
export const backupFormat = 1;

const migrationName = z.object({ service: z.string(), name: z.string() });
export type MigrationName = z.output<typeof migrationName>;

/** SchemaDefinition of libs/database. */
const schemaDefinition = z.object({
  schema: z.string(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), isUnlogged: z.boolean() })),
  sequences: z.array(z.string()),
  createTables: z.array(z.string()),
  createFunctions: z.array(z.string()),
  createRules: z.array(z.string()),
  triggers: z.array(
    z.object({ text: z.string(), functionSchema: z.string().nullable(), arguments: z.array(z.string()) }),
  ),
});

const auditHead = z.object({ seq: z.number(), hash: z.string() });

/** What a backup is of, and how its site is created again. */
export const backupManifest = z.object({
  format: z.number(),
  createdAt: z.iso.datetime(),
  /** Version of the program that made it. */
  program: z.string(),
  tenant: z.object({
    /** The storage id: keys of objects and triggers of the backup have it. */
    id: z.string(),
    /** The id of a renamed site. */
    name: z.string().optional(),
    database: z.string().nullable(),
    hosts: z.array(z.string()),
    suspensionReason: z.string().nullable(),
    readOnlyReason: z.string().nullable(),
    /** Validated when the site is created again. */
    settings: z.unknown(),
    limits: z.unknown(),
    plan: z.string().nullable(),
  }),
  /** The registry's facts about the site's audit log. */
  audit: z.object({ heads: z.array(auditHead.extend({ day: z.string() })), anchor: auditHead.nullable() }),
  databases: z.array(
    z.object({
      services: z.array(z.string()),
      /** Applied to its tables. */
      migrations: z.array(migrationName),
      definition: schemaDefinition,
    }),
  ),
  /** Migrations of the installation that programs without them cannot work with. */
  breakingMigrations: z.array(migrationName),
  /** Whether the media objects are in the backup, and not only their list. */
  hasObjects: z.boolean(),
});

export type BackupManifest = z.output<typeof backupManifest>;

/** The id of the site of a backup that operators used. */
export const siteIdOf = ({ tenant: { id, name = id } }: BackupManifest): string => name;

/** A media object that rows of the backup name. The key is without the site. */
export const listedObject = z.object({ key: z.string(), size: z.number() });
export type ListedObject = z.output<typeof listedObject>;

/** Entries of the rows of a table, in the order of the tables of the definition. */
export const rowsPrefix = (database: number, table: string): string =>
  `rows/${database}/${encodeURIComponent(table)}`;
export const sequencesName = (database: number): string => `sequences/${database}.json`;
export const objectListPrefix = 'object-list';
export const objectsPrefix = 'objects/';
