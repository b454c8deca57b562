import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A relation between the entries of two collections (contract 10). */
@Entity('relations')
@Unique('relations_slug_key', ['slug'])
export class Relation {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'relations_pkey' })
  id!: string;

  @Column('text')
  slug!: string;

  @Index('relations_parent_collection')
  @Column('text', { name: 'parent_collection' })
  parentCollection!: string;

  @Index('relations_child_collection')
  @Column('text', { name: 'child_collection' })
  childCollection!: string;

  @Column('text', { name: 'parent_label' })
  parentLabel!: string;

  @Column('text', { name: 'parent_label_singular', nullable: true })
  parentLabelSingular!: string | null;

  @Column('text', { name: 'child_label' })
  childLabel!: string;

  @Column('text', { name: 'child_label_singular', nullable: true })
  childLabelSingular!: string | null;

  /** Null for no limit. */
  @Column('integer', { name: 'max_children_per_parent', nullable: true })
  maxChildrenPerParent!: number | null;

  /** Null for no limit. */
  @Column('integer', { name: 'max_parents_per_child', nullable: true })
  maxParentsPerChild!: number | null;

  /** Whether a reference field created it: it is deleted with the last field that views it. */
  @Column('boolean', { name: 'made_by_field' })
  madeByField!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/**
 * A live link between two entries. It names translation groups: all translations of an entry share one selection (spec
 * document 1, Content entry). A deleted relation leaves its links, which are deleted in steps.
 */
@Entity('reference_links')
@Index('reference_links_parents', ['relationId', 'childGroup', 'parentGroup'])
@Index('reference_links_children', ['relationId', 'parentGroup', 'sortOrder', 'childGroup'])
export class ReferenceLink {
  @PrimaryColumn('text', { name: 'relation_id', primaryKeyConstraintName: 'reference_links_pkey' })
  relationId!: string;

  @PrimaryColumn('text', { name: 'parent_group', primaryKeyConstraintName: 'reference_links_pkey' })
  parentGroup!: string;

  @PrimaryColumn('text', { name: 'child_group', primaryKeyConstraintName: 'reference_links_pkey' })
  childGroup!: string;

  /** Position among the children of the parent. Children that are added at one time may have the same. */
  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;
}
