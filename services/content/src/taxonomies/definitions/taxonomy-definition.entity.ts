import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Taxonomy } from './taxonomy.entity.js';

/** The labels of a taxonomy in one locale. */
@Entity('taxonomy_definitions')
@Index('taxonomy_definitions_taxonomy_id_locale', ['taxonomyId', 'locale'], { unique: true })
export class TaxonomyDefinition {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'taxonomy_definitions_pkey' })
  id!: string;

  @Column('text', { name: 'taxonomy_id' })
  taxonomyId!: string;

  @ManyToOne(() => Taxonomy, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'taxonomy_id', foreignKeyConstraintName: 'taxonomy_definitions_taxonomy_id_fkey' })
  taxonomy?: Relation<Taxonomy>;

  @Column('text')
  locale!: string;

  @Column('text')
  label!: string;

  @Column('text', { name: 'label_singular', nullable: true })
  labelSingular!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
