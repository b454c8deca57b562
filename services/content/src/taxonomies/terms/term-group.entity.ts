import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Taxonomy } from '../definitions/index.js';

/** A term in all its locales: its place in the taxonomy. Its id is the translation group of its terms. */
@Entity('term_groups')
@Index('term_groups_taxonomy_id', ['taxonomyId', 'sortOrder'])
export class TermGroup {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'term_groups_pkey' })
  id!: string;

  @Column('text', { name: 'taxonomy_id' })
  taxonomyId!: string;

  @ManyToOne(() => Taxonomy, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'taxonomy_id', foreignKeyConstraintName: 'term_groups_taxonomy_id_fkey' })
  taxonomy?: Relation<Taxonomy>;

  @Index('term_groups_parent_id')
  @Column('text', { name: 'parent_id', nullable: true })
  parentId!: string | null;

  @ManyToOne(() => TermGroup)
  @JoinColumn({ name: 'parent_id', foreignKeyConstraintName: 'term_groups_parent_id_fkey' })
  parent?: Relation<TermGroup>;

  /** Distinct among siblings. */
  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;
}
