import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';

/** A browser that a user has signed in with; the audit log marks the first sign-in with each further one. */
@Entity('user_browsers')
export class UserBrowser {
  @PrimaryColumn('text', { name: 'user_id', primaryKeyConstraintName: 'user_browsers_pkey' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_browsers_user_id_fkey' })
  user?: Relation<User>;

  /** Such as "Firefox on Linux". */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'user_browsers_pkey' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
