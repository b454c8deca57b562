import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const bylineFieldTypes = ['string', 'text', 'url', 'boolean', 'select'] as const;
export type BylineFieldType = (typeof bylineFieldTypes)[number];

/** A custom field of a site's bylines (contract 35). */
@Entity('byline_fields')
export class BylineField {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'byline_fields_pkey' })
  id!: string;

  @Index('byline_fields_slug', { unique: true })
  @Column('text')
  slug!: string;

  @Column('text')
  label!: string;

  @Column('text')
  type!: BylineFieldType;

  @Column('boolean')
  required!: boolean;

  /** Whether each locale has its own value. It cannot change once values are stored. */
  @Column('boolean')
  translatable!: boolean;

  @Column('json', { nullable: true })
  validation!: { options?: string[] } | null;

  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
