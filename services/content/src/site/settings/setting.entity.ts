import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One setting that has a value: `title`, `seo.robotsTxt`. Each has a row of its own, so that concurrent updates of
 * different settings do not overwrite each other.
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
