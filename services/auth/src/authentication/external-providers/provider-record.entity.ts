import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A small document that a provider stores. */
@Entity('provider_records')
export class ProviderRecord {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'provider_records_pkey' })
  provider!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'provider_records_pkey' })
  collection!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'provider_records_pkey' })
  key!: string;

  @Column('json')
  value!: unknown;

  @Index('provider_records_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
