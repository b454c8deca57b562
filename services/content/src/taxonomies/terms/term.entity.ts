import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { TermGroup } from './term-group.entity.js';

/** A term in one locale. */
@Entity('terms')
@Index('terms_taxonomy_id_locale_slug', ['taxonomyId', 'locale', 'slug'], { unique: true })
@Index('terms_taxonomy_id_slug', ['taxonomyId', 'slug'])
@Index('terms_group_id_locale', ['groupId', 'locale'], { unique: true })
export class Term {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'terms_pkey' })
  id!: string;

  @Column('text', { name: 'group_id' })
  groupId!: string;

  @ManyToOne(() => TermGroup, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'terms_group_id_fkey' })
  group?: Relation<TermGroup>;

  /** The taxonomy of its group; repeated for the unique key on taxonomy, locale and slug. */
  @Column('text', { name: 'taxonomy_id' })
  taxonomyId!: string;

  @Column('text')
  locale!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  label!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
