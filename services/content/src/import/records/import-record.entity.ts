import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The kinds of objects that imports create. */
export const importedKinds = ['entry', 'section', 'comment', 'menu', 'term', 'byline'] as const;
export type ImportedKind = (typeof importedKinds)[number];

/** The object that an import created from an object of a source site (contract 6, Import record). */
@Entity('import_records')
@Index('import_records_import_id', ['importId', 'kind', 'sourceType', 'sourceId'])
@Index('import_records_target', ['targetId'])
export class ImportRecord {
  /** Identity of the source site. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'import_records_pkey' })
  site!: string;

  @PrimaryColumn('text', { name: 'source_type', primaryKeyConstraintName: 'import_records_pkey' })
  sourceType!: string;

  @PrimaryColumn('text', { name: 'source_id', primaryKeyConstraintName: 'import_records_pkey' })
  sourceId!: string;

  @Column('text')
  kind!: ImportedKind;

  @Column('text', { name: 'target_id' })
  targetId!: string;

  /** Slug of an entry's collection. */
  @Column('text', { nullable: true })
  collection!: string | null;

  /** The import that created the object. */
  @Column('text', { name: 'import_id' })
  importId!: string;

  /** The last import that wrote the object. */
  @Column('text', { name: 'updated_by' })
  updatedBy!: string;

  /** Hash of the source that the object was written from. */
  @Column('text')
  fingerprint!: string;

  /** The object's version after the import's write: a higher one means that a user edited it. */
  @Column('integer', { name: 'target_version', default: 1 })
  targetVersion!: number;

  /** Type and id of the parent at the source. */
  @Column('text', { name: 'parent_type', nullable: true })
  parentType!: string | null;

  @Column('text', { name: 'parent_id', nullable: true })
  parentId!: string | null;

  /** Group of the entry that an import has made the parent. */
  @Column('text', { name: 'parent_group', nullable: true })
  parentGroup!: string | null;

  /** What has no field. */
  @Column('json', { nullable: true })
  remainder!: Record<string, unknown> | null;

  /** Whether the import put the entry into the trash. */
  @Column('boolean', { name: 'is_trashed', default: false })
  isTrashed!: boolean;

  /** The answer about the object, for a call that is repeated. */
  @Column('json', { nullable: true })
  result!: Record<string, unknown> | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
