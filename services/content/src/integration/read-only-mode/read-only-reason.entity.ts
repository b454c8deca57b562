import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A reason for which writes of a site are rejected at present. */
@Entity('read_only_modes')
export class ReadOnlyReason {
  /** The error code of rejected writes. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'read_only_modes_pkey' })
  code!: string;

  @Column({ type: 'timestamptz', name: 'raised_at', precision: 3, default: () => 'now()' })
  raisedAt!: Date;
}
