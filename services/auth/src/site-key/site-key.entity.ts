import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The site's secret key for values derived from e-mail addresses: one row. It never leaves the service. */
@Entity('site_key')
export class SiteKey {
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'site_key_pkey' })
  id!: number;

  @Column('bytea')
  key!: Buffer;
}
