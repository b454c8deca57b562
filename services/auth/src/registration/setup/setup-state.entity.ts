import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the first-user setup of the site is: one row. Whoever makes the first user holds it. */
@Entity('setup_state')
export class SetupState {
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'setup_state_pkey' })
  id!: number;

  /** When the site was given its title. */
  @Column({ type: 'timestamptz', name: 'site_saved_at', precision: 3, nullable: true })
  siteSavedAt!: Date | null;

  /** SHA-256 of the setup link's secret. */
  @Column('text', { name: 'link_hash', nullable: true })
  linkHash!: string | null;

  /** When the first user was made by the setup. */
  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt!: Date | null;
}
