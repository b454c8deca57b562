import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A stored state of an entry's values (contract 6, Revision): its draft, its live state, or a former one. */
@Entity('revisions')
@Index('revisions_entry_id', ['entryId', 'id'])
@Index('revisions_collection', ['collection', 'id'])
export class Revision {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'revisions_pkey' })
  id!: string;

  /** Slug of the entry's collection. */
  @Column('text')
  collection!: string;

  /** Unique across collections. */
  @Column('text', { name: 'entry_id' })
  entryId!: string;

  /** Values by field slug; `_slug` and `_references` are a staged slug and staged selections. */
  @Column('json')
  data!: Record<string, unknown>;

  /** Of the values, for searches. A trigger derives it: migration 0074. */
  @Column('text', { nullable: true })
  title!: string | null;

  @Column('text', { name: 'author_id', nullable: true })
  authorId!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
