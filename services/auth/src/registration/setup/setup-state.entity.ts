import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The progress of the site's setup, in one row. Transactions that create the first user lock it. */
@Entity('setup_state')
export class SetupState {
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'setup_state_pkey' })
  id!: number;

  /** Time at which the title of the site was stored. */
  @Column({ type: 'timestamptz', name: 'site_saved_at', precision: 3, nullable: true })
  siteSavedAt!: Date | null;

  /** SHA-256 of the setup link's secret. */
  @Column('text', { name: 'link_hash', nullable: true })
  linkHash!: string | null;

  /** Time at which the setup was completed. */
  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt!: Date | null;
}
