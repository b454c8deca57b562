import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';

/** A link that signs its user in, once. Only the SHA-256 of its token is stored. */
@Entity('magic_links')
export class MagicLink {
  @PrimaryColumn('text', { name: 'token_hash', primaryKeyConstraintName: 'magic_links_pkey' })
  tokenHash!: string;

  @Index('magic_links_user_id')
  @Column('text', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'magic_links_user_id_fkey' })
  user?: Relation<User>;

  /** The recipient: the link is valid only while this is the user's address. */
  @Column('text')
  email!: string;

  @Index('magic_links_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
