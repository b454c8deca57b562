import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';

/** An external account that a user signs in with. */
@Entity('login_accounts')
@Index('login_accounts_account', ['provider', 'accountId'], { unique: true })
export class LoginAccount {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'login_accounts_pkey' })
  id!: string;

  @Column('text')
  provider!: string;

  /** The id of the account at the provider. */
  @Column('text', { name: 'account_id' })
  accountId!: string;

  @Index('login_accounts_user_id')
  @Column('text', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'login_accounts_user_id_fkey' })
  user?: Relation<User>;

  /** The account's e-mail address when it was linked; null where accounts have none. */
  @Column('text', { nullable: true })
  email!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, default: () => 'now()' })
  lastUsedAt!: Date;
}
