import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';

/** A personal access token. Only the SHA-256 of its text is stored. */
@Entity('api_tokens')
export class ApiToken {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'api_tokens_pkey' })
  id!: string;

  @Index('api_tokens_user_id')
  @Column('text', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'api_tokens_user_id_fkey' })
  user?: Relation<User>;

  @Column('text')
  name!: string;

  /** Start of the token's text, for lists. */
  @Column('text')
  prefix!: string;

  @Index('api_tokens_token_hash', { unique: true })
  @Column('text', { name: 'token_hash' })
  tokenHash!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
