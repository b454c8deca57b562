import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const sectionSources = ['theme', 'user', 'import'] as const;
export type SectionSource = (typeof sectionSources)[number];

/** A reusable piece of content (contract 6, Section). */
@Entity('sections')
@Index('sections_title_id', ['title', 'id'])
export class Section {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sections_pkey' })
  id!: string;

  @Index('sections_slug', { unique: true })
  @Column('text')
  slug!: string;

  @Column('text')
  title!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { array: true })
  keywords!: string[];

  @Column('json')
  content!: Record<string, unknown>[];

  @Column('text', { name: 'preview_media_id', nullable: true })
  previewMediaId!: string | null;

  /** Its origin: the site's theme, a user, or an import. */
  @Column('text')
  source!: SectionSource;

  @Column('text', { name: 'theme_id', nullable: true })
  themeId!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
