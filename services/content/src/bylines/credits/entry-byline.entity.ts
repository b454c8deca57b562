import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BylineGroup } from '../byline.entity.js';

/** A credit of an entry. It names a translation group, so that each entry shows the byline in its own locale. */
@Entity('entry_bylines')
@Index('entry_bylines_byline_group', ['group', 'entryId'])
export class EntryByline {
  @PrimaryColumn('text', { name: 'entry_id', primaryKeyConstraintName: 'entry_bylines_pkey' })
  entryId!: string;

  @PrimaryColumn('text', { name: 'byline_group', primaryKeyConstraintName: 'entry_bylines_pkey' })
  group!: string;

  @ManyToOne(() => BylineGroup)
  @JoinColumn({ name: 'byline_group', foreignKeyConstraintName: 'entry_bylines_byline_group_fkey' })
  bylineGroup?: Relation<BylineGroup>;

  /** Slug of the entry's collection. */
  @Column('text')
  collection!: string;

  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;

  @Column('text', { name: 'role_label', nullable: true })
  roleLabel!: string | null;
}
