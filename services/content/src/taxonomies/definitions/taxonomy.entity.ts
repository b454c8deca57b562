import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The properties that all locales of a taxonomy share. Its id is the translation group of its definitions. */
@Entity('taxonomies')
export class Taxonomy {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'taxonomies_pkey' })
  id!: string;

  @Index('taxonomies_name', { unique: true })
  @Column('text')
  name!: string;

  @Column('boolean')
  hierarchical!: boolean;

  /** Slugs as submitted: a collection among them may have been deleted. */
  @Column('text', { array: true })
  collections!: string[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
