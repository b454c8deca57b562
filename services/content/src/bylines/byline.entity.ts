import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Values of byline fields by slug; a field without a value is absent. */
export type CustomValues = Record<string, string | boolean>;

/** A translation group of bylines, with the values of the fields that all its locales share. */
@Entity('byline_groups')
export class BylineGroup {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'byline_groups_pkey' })
  id!: string;

  @Column('jsonb', { name: 'custom_fields' })
  customFields!: CustomValues;
}

/** A byline in one locale; `userId` links it to a user, and is null for a guest (spec document 2). */
@Entity('bylines')
@Index('bylines_slug_locale', ['slug', 'locale'], { unique: true })
@Index('bylines_translation_group_locale', ['translationGroup', 'locale'], { unique: true })
@Index('bylines_created_at_id', ['createdAt', 'id'])
export class Byline {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'bylines_pkey' })
  id!: string;

  @Column('text')
  slug!: string;

  @Column('text', { name: 'display_name' })
  displayName!: string;

  @Column('text', { nullable: true })
  bio!: string | null;

  @Column('text', { name: 'avatar_media_id', nullable: true })
  avatarMediaId!: string | null;

  @Column('text', { name: 'website_url', nullable: true })
  websiteUrl!: string | null;

  @Index('bylines_user_id')
  @Column('text', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('boolean', { name: 'is_guest' })
  isGuest!: boolean;

  @Column('text')
  locale!: string;

  @Column('text', { name: 'translation_group' })
  translationGroup!: string;

  @ManyToOne(() => BylineGroup)
  @JoinColumn({ name: 'translation_group', foreignKeyConstraintName: 'bylines_translation_group_fkey' })
  group?: Relation<BylineGroup>;

  /** Values of the translatable fields. */
  @Column('jsonb', { name: 'custom_fields' })
  customFields!: CustomValues;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
