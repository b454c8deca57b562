import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was deleted. A byline and a relation are known by the ids of their group and of themselves. */
export type DeletedKind = 'byline' | 'collection' | 'field' | 'relation';

/** A deleted object whose rows in large tables are deleted in steps. Requests find none of these rows. */
@Entity('deletions')
export class Deletion {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'deletions_pkey' })
  kind!: DeletedKind;

  /** Of the deleted object; of a field its collection and its slug. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'deletions_pkey' })
  id!: string;

  /** Slug of the collection of a deleted field. */
  @Column('text', { nullable: true })
  collection!: string | null;

  /** Slug of a deleted field. */
  @Column('text', { nullable: true })
  field!: string | null;

  /** The last row that a step has finished with, in the order of the kind; empty before the first. */
  @Column('text', { default: '' })
  position!: string;
}
