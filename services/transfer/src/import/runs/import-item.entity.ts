import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Import } from './import.entity.js';
import type { ItemState } from './import-state.js';

/** What an item becomes. `internal`: nothing; `broken`: it could not be read. */
export const itemKinds = [
  'author',
  'term',
  'content',
  'attachment',
  'section',
  'menu',
  'menu-item',
  'internal',
  'broken',
] as const;
export type ItemKind = (typeof itemKinds)[number];

/** The index of a file: where each item is, what others look up of it, and what happened to it. */
@Entity('import_items')
@Index('import_items_kind', ['importId', 'kind', 'position'])
@Index('import_items_source_id', ['importId', 'kind', 'sourceId'])
@Index('import_items_parent_id', ['importId', 'kind', 'parentId'], { where: 'parent_id IS NOT NULL' })
@Index('import_items_language_group', ['importId', 'languageGroup', 'position'], {
  where: 'language_group IS NOT NULL',
})
export class ImportItem {
  @PrimaryColumn('text', { name: 'import_id', primaryKeyConstraintName: 'import_items_pkey' })
  importId!: string;

  @ManyToOne(() => Import, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id', foreignKeyConstraintName: 'import_items_import_id_fkey' })
  import?: Relation<Import>;

  /** Its place among all authors, terms and items of the file. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'import_items_pkey' })
  position!: number;

  @Column('text')
  kind!: ItemKind;

  /** The post type, or the taxonomy of a term. */
  @Column('text', { name: 'source_type' })
  sourceType!: string;

  @Column('text', { name: 'source_id', nullable: true })
  sourceId!: string | null;

  /** Bytes of the stored file before the item. */
  @Column('bigint', { name: 'file_offset', nullable: true })
  fileOffset!: string | null;

  /** Bytes. */
  @Column('integer', { nullable: true })
  length!: number | null;

  @Column('integer', { nullable: true })
  line!: number | null;

  @Column('text', { nullable: true })
  title!: string | null;

  @Column('text', { nullable: true })
  slug!: string | null;

  @Column('text', { name: 'parent_id', nullable: true })
  parentId!: string | null;

  /** The group of translations that it belongs to. */
  @Column('text', { name: 'language_group', nullable: true })
  languageGroup!: string | null;

  /** What other items need to know of it, by its kind. */
  @Column('json')
  facts!: object;

  @Column('text')
  state!: ItemState;

  @Column('text', { name: 'entry_id', nullable: true })
  entryId!: string | null;
}
