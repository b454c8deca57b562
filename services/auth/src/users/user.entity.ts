import { roles } from '@quire/permissions';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A user. `email` is normalised by `normaliseEmail` (decision 31). */
@Entity('users')
@Index('users_created_at', ['createdAt', 'id'])
@Index('users_panel_people', ['name', 'id'], { where: `NOT disabled AND role >= ${roles.CONTRIBUTOR}` })
export class User {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'users_pkey' })
  id!: string;

  @Index('users_email', { unique: true })
  @Column('text')
  email!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { name: 'avatar_url', nullable: true })
  avatarUrl!: string | null;

  @Column('integer')
  role!: number;

  @Column('boolean', { name: 'email_verified', default: false })
  emailVerified!: boolean;

  @Column('boolean', { default: false })
  disabled!: boolean;

  /** Whether the user has dismissed the welcome. */
  @Column('boolean', { default: false })
  welcomed!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_login', precision: 3, nullable: true })
  lastLogin!: Date | null;
}
