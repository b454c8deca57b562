import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One setting that has a value: `title`, `seo.robotsTxt`. A row for each, so that two who change different settings at
 * the same time never overwrite each other.
 */
@Entity('settings')
export class Setting {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'settings_pkey' })
  key!: string;

  @Column('json')
  value!: unknown;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
