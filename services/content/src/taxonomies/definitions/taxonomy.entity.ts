import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What a taxonomy has in common in all its locales. Its id is the translation group of its definitions. */
@Entity('taxonomies')
export class Taxonomy {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'taxonomies_pkey' })
  id!: string;

  @Index('taxonomies_name', { unique: true })
  @Column('text')
  name!: string;

  @Column('boolean')
  hierarchical!: boolean;

  /** Slugs, as they were set: a collection among them may have been deleted since. */
  @Column('text', { array: true })
  collections!: string[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
