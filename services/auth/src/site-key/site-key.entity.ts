import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The site's own key for what is derived of e-mail addresses: one row. It is told to nobody. */
@Entity('site_key')
export class SiteKey {
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'site_key_pkey' })
  id!: number;

  @Column('bytea')
  key!: Buffer;
}
